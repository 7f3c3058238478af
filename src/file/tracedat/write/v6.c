// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes trace.dat files of version 6. */
#include "file/tracedat/format.h"
#include "file/tracedat/write/file.h"
#include "file/tracedat/write/meta.h"
#include "file/tracedat/write/option.h"

#include <errno.h>

#include "base/err.h"

/* Tags of parts are ten bytes including the NUL. */
#define OPTIONS	  "options  "
#define FLYRECORD "flyrecord"

/*
 * Version 6: all parts in a fixed order without sections. The options are followed by
 * the main buffer: a table with a place for each CPU, the clock, pages. Other
 * instances come after it, located by BUFFER options; these are written before the
 * offsets are known, and patched.
 */
static void encode_front(const struct kft_dat_file *f, struct kft_strbuf *sb)
{
	const struct kft_meta *m = f->meta;

	kft_dat_encode_start(f, sb, "6");
	kft_encode_header_info(sb, m, f->swap);
	kft_encode_ftrace_events(sb, m, f->swap);
	kft_encode_event_formats(sb, m, f->swap);
	kft_encode_kallsyms(sb, m, f->swap);
	kft_encode_printk(sb, m, f->swap);
	kft_encode_cmdlines(sb, m, f->swap);
	kft_encode_u32(sb, m->cpu_count, f->swap);
}

/*
 * Encodes an option with an instance's offset, which is patched later. Returns its place.
 */
static uint64_t encode_buffer_option(const struct kft_dat_file *f, struct kft_strbuf *sb,
				     const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};

	kft_encode_u64(&body, 0, f->swap);
	kft_encode_str(&body, name);
	if (!kft_strbuf_ok(&body))
		sb->failed = true;
	kft_encode_option(sb, KFT_OPTION_BUFFER, body.buf, body.len, f->swap);
	return sb->len - body.len;
}

/*
 * Appends the table and the clock; readers expect the clock there
 * if the option is present.
 */
static int append_table(struct kft_dat_file *f, const struct kft_tracedat_buffer *b)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_encode_str(&sb, FLYRECORD);
	for (uint32_t i = 0; i < f->meta->cpu_count; i++) {
		kft_encode_u64(&sb, 0, f->swap);
		kft_encode_u64(&sb, 0, f->swap);
	}
	kft_encode_u64(&sb, strlen(b->clock) + 2, f->swap);
	kft_strbuf_addf(&sb, "[%s]", b->clock);
	return kft_dat_append_sb(f, &sb);
}

static int append_buffer(struct kft_dat_file *f, const struct kft_tracedat_buffer *b)
{
	const uint64_t table = f->pos + sizeof(FLYRECORD);
	int r = append_table(f, b);

	for (size_t i = 0; i < b->n_sources && r == 0; i++) {
		const struct kft_page_source *s = &b->sources[i];
		const uint64_t entry = table + s->cpu * 16;

		kft_dat_align(f, b->page_size);
		const uint64_t at = f->pos;
		r = kft_dat_append_pages(f, s, b->page_size);
		if (r == 0)
			r = kft_dat_patch_u64(f, entry, at);
		if (r == 0)
			r = kft_dat_patch_u64(f, entry + 8, f->pos - at);
	}
	return r;
}

int kft_dat_write_v6(struct kft_dat_file *f, const struct kft_tracedat_buffer *buffers,
		     size_t n_buffers)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_free_ uint64_t *places = calloc(n_buffers, sizeof(*places));

	if (!places)
		return kft_err_sys(f->e, -ENOMEM, "cannot write the trace");
	encode_front(f, &sb);
	kft_encode_str(&sb, OPTIONS);
	kft_encode_meta_options(&sb, f->meta, f->swap);
	for (size_t i = 1; i < n_buffers; i++)
		places[i] = encode_buffer_option(f, &sb, buffers[i].name);
	kft_encode_u16(&sb, KFT_OPTION_DONE, f->swap);
	int r = kft_dat_append_sb(f, &sb);
	for (size_t i = 0; i < n_buffers && r == 0; i++) {
		if (i > 0)
			r = kft_dat_patch_u64(f, places[i], f->pos);
		if (r == 0)
			r = append_buffer(f, &buffers[i]);
	}
	return r;
}
