// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads trace.dat files of version 7. */
#include "file/tracedat/read/version.h"

#include <errno.h>
#include <inttypes.h>

#include "file/tracedat/read/buffer.h"
#include "file/tracedat/read/meta.h"
#include "file/tracedat/read/option.h"

bool kft_dat_read_section(const struct kft_dat_reader *d, uint64_t offset,
			  struct kft_dat_section *ret)
{
	uint8_t head[KFT_SECTION_HEADER_BYTES];

	if (kft_dat_input_read(&d->in, offset, head, sizeof(head)) < 0)
		return false;
	*ret = (struct kft_dat_section){
		.id = kft_load_u16(head, d->in.swap),
		.compressed = kft_load_u16(head + 2, d->in.swap) & KFT_SECTION_COMPRESSED,
		.content = offset + sizeof(head),
		.len = kft_load_u64(head + 8, d->in.swap),
	};
	return true;
}

/*
 * Reads a section of options. *ret_next is the offset of the next one, 0 after the last.
 */
static int read_options_at(struct kft_dat_reader *d, uint64_t offset, uint64_t *ret_next)
{
	struct kft_dat_section s;
	struct kft_cursor c;

	*ret_next = 0;
	if (!kft_dat_read_section(d, offset, &s))
		return kft_dat_damage(d, -ENODATA, "options", offset,
				      "the file ends before they begin");
	if (s.id != KFT_SECTION_OPTIONS)
		return kft_dat_damage(d, -EBADMSG, "options", offset,
				      "section %u is there instead", s.id);
	const struct kft_dat_extent x = {"options", s.content, s.len, s.compressed};
	int r = kft_dat_load(d, &x, &c);
	return r < 0 ? r : kft_dat_read_options(d, &x, &c, ret_next);
}

/*
 * Only forward links are followed: trace-cmd appends sections, and a loop would not end.
 */
static int read_all_options(struct kft_dat_reader *d, uint64_t offset)
{
	while (offset) {
		uint64_t next;
		int r = read_options_at(d, offset, &next);

		if (r < 0)
			return r;
		if (next && next <= offset)
			return kft_dat_damage(d, -EBADMSG, "options", offset,
					      "the next ones are said to be before, at "
					      "%" PRIu64,
					      next);
		offset = next;
	}
	return 0;
}

/* Replaces the offsets of section headers, from the options, by those of the contents. */
static void locate_parts(struct kft_dat_reader *d)
{
	for (size_t i = 0; i < KFT_DAT_N_PARTS; i++) {
		struct kft_dat_extent *x = &d->parts[i];
		struct kft_dat_section s;
		uint64_t at = x->offset;

		if (!at || x->len)
			continue;
		if (!kft_dat_read_section(d, at, &s)) {
			(void)kft_dat_damage(d, -ENODATA, x->what, at,
					     "the file ends before it begins");
		} else if (s.id != KFT_SECTION_HEADER_INFO + i) {
			(void)kft_dat_damage(d, -EBADMSG, x->what, at,
					     "section %u is there instead", s.id);
		} else {
			x->offset = s.content;
			x->len = s.len;
			x->compressed = s.compressed;
		}
	}
}

static int add_buffer(struct kft_dat_reader *d, struct kft_dat_buffer *b)
{
	struct kft_meta *m = &d->trace->meta;
	bool is_main = !*b->name;
	struct kft_dat_section s;
	uint16_t buffer;

	if (!kft_dat_read_section(d, b->offset, &s) || s.id != KFT_SECTION_BUFFER) {
		(void)kft_dat_damage(d, -EBADMSG, "buffer", b->offset,
				     "no section with events is there");
		return 0;
	}
	if (is_main && !m->trace_clock.len)
		kft_dat_use_clock(&m->clock, b->clock, strlen(b->clock));
	/*
	 * For the main buffer, the page size in the file's header
	 * is used, as in trace-cmd.
	 */
	int r = kft_dat_add_buffer(d, b->name, b->clock,
				   is_main ? m->page_size : b->page_size, b->offset,
				   &buffer);
	if (r == 0)
		r = kft_dat_add_cpus(d, buffer, b->cpus.data, b->cpus.len, s.compressed);
	return r == -ENOMEM ? r : 0;
}

static int add_buffers(struct kft_dat_reader *d, bool main_ones)
{
	int r = 0;

	kft_vec_for_each(&d->buffers, b) {
		bool is_main = !*b->name;

		if (r == 0 && is_main == main_ones && !b->has_text)
			r = add_buffer(d, b);
	}
	return r;
}

static bool has_text(const struct kft_dat_reader *d)
{
	kft_vec_for_each(&d->buffers, b)
		if (b->has_text)
			return true;
	return false;
}

int kft_dat_read_v7(struct kft_dat_reader *d, uint64_t pos, uint64_t options,
		    struct kft_err *e)
{
	bool whole = read_all_options(d, options) == 0;

	if (!whole) {
		int r = kft_dat_salvage_parts(d, pos);

		if (r < 0)
			return r;
	}
	locate_parts(d);
	kft_dat_read_meta(d);
	if (d->live.is_live)
		return 0;
	/* The main buffer is added first, independent of its place in the file. */
	int r = add_buffers(d, true);
	if (r == 0)
		r = add_buffers(d, false);
	if (r == 0 && !whole)
		r = kft_dat_salvage_buffers(d, pos);
	if (r < 0)
		return r;
	if (has_text(d) && !d->trace->buffers.len)
		return kft_dat_only_text(e);
	if (has_text(d))
		kft_trace_note(d->trace, 0, "the output of a latency tracer is left out");
	if (!d->trace->buffers.len)
		(void)kft_dat_damage(d, -ENODATA, "options", options,
				     "no buffer with events is named");
	return 0;
}
