// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes trace.dat files of version 7. */
#include "file/tracedat/format.h"
#include "file/tracedat/write/file.h"
#include "file/tracedat/write/meta.h"
#include "file/tracedat/write/option.h"

#include <errno.h>

#include "base/err.h"

/*
 * Version 7: after a header with the compression, sections, each with its length;
 * options have their offsets. The order is trace-cmd's: metadata, options, then for each
 * buffer its pages and an options section with its offset, and the section with the
 * names of all sections last.
 */
struct v7 {
	struct kft_dat_file *f; /* borrowed */
	struct kft_strbuf options; /* for the next options section */
	struct kft_strbuf strings; /* names of sections */
	/* File offset at which the offset of the next options section is patched. */
	uint64_t link_at;
};

static void v7_finish(struct v7 *w)
{
	kft_strbuf_finish(&w->options);
	kft_strbuf_finish(&w->strings);
}

/* Whether the metadata is compressed; pages may not be. */
static bool is_packed(const struct kft_dat_file *f)
{
	return f->opts->compress != KFT_TRACEDAT_PLAIN;
}

/* FORMAT OF THE SECTION HEADER */
static int append_header(struct v7 *w, uint16_t id, uint16_t flags, const char *name,
			 uint64_t size)
{
	const bool swap = w->f->swap;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_encode_u16(&sb, id, swap);
	kft_encode_u16(&sb, flags, swap);
	kft_encode_u32(&sb, w->strings.len, swap);
	kft_encode_u64(&sb, size, swap);
	kft_encode_str(&w->strings, name);
	return kft_dat_append_sb(w->f, &sb);
}

/* COMPRESSION FORMAT OF THE FILE SECTIONS: u32 packed size, u32 plain size, bytes. */
static int append_packed_section(struct v7 *w, uint16_t id, const char *name,
				 const struct kft_strbuf *body)
{
	_cleanup_free_ void *packed = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sizes = {};
	size_t len;
	int r = kft_compress_block(w->f->opts->level, body->buf, body->len, &packed,
				   &len);

	if (r < 0)
		return kft_err_sys(w->f->e, r, "cannot compress %s", name);
	r = append_header(w, id, KFT_SECTION_COMPRESSED, name, len + 8);
	if (r < 0)
		return r;
	kft_encode_u32(&sizes, len, w->f->swap);
	kft_encode_u32(&sizes, body->len, w->f->swap);
	r = kft_dat_append_sb(w->f, &sizes);
	return r < 0 ? r : kft_dat_append(w->f, packed, len);
}

static int append_section(struct v7 *w, uint16_t id, const char *name,
			  const struct kft_strbuf *body)
{
	if (!kft_strbuf_ok(body))
		return kft_err_sys(w->f->e, -ENOMEM, "cannot write %s", name);
	if (is_packed(w->f))
		return append_packed_section(w, id, name, body);
	int r = append_header(w, id, 0, name, body->len);
	return r < 0 ? r : kft_dat_append_sb(w->f, body);
}

static int append_meta(struct v7 *w)
{
	static const struct {
		/* Same id for the section and for the option with its offset. */
		uint16_t id;
		const char *name; /* trace-cmd's name for it */
		void (*encode)(struct kft_strbuf *, const struct kft_meta *, bool);
	} parts[] = {
		{KFT_SECTION_HEADER_INFO, "headers", kft_encode_header_info},
		{KFT_SECTION_FTRACE_EVENTS, "ftrace events", kft_encode_ftrace_events},
		{KFT_SECTION_EVENT_FORMATS, "events format", kft_encode_event_formats},
		{KFT_SECTION_KALLSYMS, "kallsyms", kft_encode_kallsyms},
		{KFT_SECTION_PRINTK, "printk", kft_encode_printk},
		{KFT_SECTION_CMDLINES, "command lines", kft_encode_cmdlines},
	};
	struct kft_dat_file *f = w->f;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};

		kft_encode_option_u64(&w->options, parts[i].id, f->pos, f->swap);
		parts[i].encode(&body, f->meta, f->swap);
		int r = append_section(w, parts[i].id, parts[i].name, &body);
		if (r < 0)
			return r;
	}
	return 0;
}

/* OPTIONS SECTION; never compressed, so that DONE can be patched. */
static int append_options(struct v7 *w)
{
	struct kft_dat_file *f = w->f;
	uint64_t start = f->pos;

	kft_encode_option_u64(&w->options, KFT_OPTION_DONE, 0, f->swap);
	int r = append_header(w, KFT_SECTION_OPTIONS, 0, "options", w->options.len);
	if (r == 0)
		r = kft_dat_append_sb(f, &w->options);
	if (r == 0)
		r = kft_dat_patch_u64(f, w->link_at, start);
	w->link_at = f->pos - sizeof(uint64_t);
	kft_strbuf_clear(&w->options);
	return r;
}

static int append_strings(struct v7 *w)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};
	uint32_t own = w->strings.len;

	/* The section's own name is one of the strings, so its header is written last. */
	kft_encode_str(&w->strings, "strings");
	kft_strbuf_add(&body, w->strings.buf, w->strings.len);
	if (!kft_strbuf_ok(&w->strings))
		return kft_err_sys(w->f->e, -ENOMEM,
				   "cannot write the names of sections");
	w->strings.len = own;
	return append_section(w, KFT_SECTION_STRINGS, "strings", &body);
}

/*
 * Appends the pages of one CPU at a multiple of the page size,
 * and its entry in the table.
 */
static int append_cpu(struct v7 *w, const struct kft_page_source *s, uint32_t page_size,
		      struct kft_strbuf *table, uint32_t *n)
{
	struct kft_dat_file *f = w->f;
	/* trace-cmd does not include the number of chunks in the size. */
	const uint64_t head = f->pool ? sizeof(uint32_t) : 0;

	if (s->fd >= 0 && s->bytes + s->tail_bytes == 0)
		return 0;
	kft_dat_align(f, page_size);
	const uint64_t at = f->pos;
	int r = kft_dat_append_pages(f, s, page_size);
	if (r < 0)
		return r;
	const uint64_t size = f->pos - at - head;
	if (!size)
		return 0;
	kft_encode_u32(table, s->cpu, f->swap);
	kft_encode_u64(table, at, f->swap);
	kft_encode_u64(table, size, f->swap);
	++*n;
	return 0;
}

static int encode_buffer_option(struct v7 *w, const struct kft_tracedat_buffer *b,
				uint64_t section, const struct kft_strbuf *table,
				uint32_t n)
{
	const bool swap = w->f->swap;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};

	kft_encode_u64(&body, section, swap);
	kft_encode_str(&body, b->name);
	kft_encode_str(&body, b->clock);
	kft_encode_u32(&body, b->page_size, swap);
	kft_encode_u32(&body, n, swap);
	if (table->len)
		kft_strbuf_add(&body, table->buf, table->len);
	if (!kft_strbuf_ok(&body) || !kft_strbuf_ok(table))
		return kft_err_sys(w->f->e, -ENOMEM, "cannot write the table of CPUs");
	kft_encode_option(&w->options, KFT_OPTION_BUFFER, body.buf, body.len, swap);
	return 0;
}

/* BUFFER FLYRECORD SECTION, and the options section with its offset. */
static int append_buffer(struct v7 *w, const struct kft_tracedat_buffer *b)
{
	struct kft_dat_file *f = w->f;
	const uint64_t start = f->pos;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf table = {};
	uint32_t n = 0;

	kft_strbuf_addf(&name, "buffer flyrecord %s", b->name);
	int r = append_header(w, KFT_SECTION_BUFFER, f->pool ? KFT_SECTION_COMPRESSED : 0,
			      kft_strbuf_cstr(&name), 0);
	for (size_t i = 0; i < b->n_sources && r == 0; i++)
		r = append_cpu(w, &b->sources[i], b->page_size, &table, &n);
	if (r == 0)
		r = kft_dat_patch_u64(f, start + 8,
				      f->pos - start - KFT_SECTION_HEADER_BYTES);
	if (r == 0)
		r = encode_buffer_option(w, b, start, &table, n);
	return r < 0 ? r : append_options(w);
}

/* Appends the start up to the offset of the first options section, which is patched. */
static int append_start(struct v7 *w)
{
	struct kft_dat_file *f = w->f;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_dat_encode_start(f, &sb, "7");
	kft_encode_str(&sb, is_packed(f) ? "zstd" : "none");
	kft_encode_str(&sb, is_packed(f) ? kft_compress_version() : "");
	kft_encode_u64(&sb, 0, f->swap);
	int r = kft_dat_append_sb(f, &sb);
	w->link_at = f->pos - sizeof(uint64_t);
	return r;
}

static void encode_cpu_count(struct v7 *w)
{
	const struct kft_dat_file *f = w->f;
	uint32_t n = f->swap ? __builtin_bswap32(f->meta->cpu_count) : f->meta->cpu_count;

	kft_encode_option(&w->options, KFT_OPTION_CPUCOUNT, &n, sizeof(n), f->swap);
}

int kft_dat_write_v7(struct kft_dat_file *f, const struct kft_tracedat_buffer *buffers,
		     size_t n_buffers)
{
	_cleanup_(v7_finish) struct v7 w = {.f = f};
	int r = append_start(&w);

	if (r == 0)
		r = append_meta(&w);
	if (r < 0)
		return r;
	kft_encode_meta_options(&w.options, f->meta, f->swap);
	encode_cpu_count(&w);
	r = append_options(&w);
	for (size_t i = 0; i < n_buffers && r == 0; i++)
		r = append_buffer(&w, &buffers[i]);
	return r < 0 ? r : append_strings(&w);
}

int kft_dat_write_v7_live(struct kft_dat_file *f)
{
	_cleanup_(v7_finish) struct v7 w = {.f = f};
	int r = append_start(&w);

	if (r < 0)
		return r;
	kft_encode_live_option(&w.options, f->meta, f->swap);
	r = append_meta(&w);
	if (r < 0)
		return r;
	kft_encode_meta_options(&w.options, f->meta, f->swap);
	encode_cpu_count(&w);
	r = append_options(&w);
	return r < 0 ? r : append_strings(&w);
}
