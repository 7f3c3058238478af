// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the metadata texts of a trace.dat file. */
#include "file/tracedat/read/meta.h"

#include <errno.h>

#include "decode/module_symbols.h"

static const char PAST_END[] = "a length runs past the end";

static bool get_text(struct kft_cursor *c, uint64_t len, struct kft_blob *ret)
{
	const uint8_t *p;

	if (len > kft_cursor_left(c) || !kft_cursor_bytes(c, len, &p))
		return false;
	*ret = (struct kft_blob){.data = (const char *)p, .len = len};
	return true;
}

static bool get_len(struct kft_cursor *c, unsigned int len_bytes, uint64_t *ret)
{
	uint32_t len;

	if (len_bytes == 8)
		return kft_cursor_u64(c, ret);
	if (!kft_cursor_u32(c, &len))
		return false;
	*ret = len;
	return true;
}

/* A text after its length of 4 or 8 bytes; the cursor does not move on failure. */
static bool get_sized(struct kft_cursor *c, unsigned int len_bytes, struct kft_blob *ret)
{
	size_t start = c->pos;
	uint64_t len;

	if (get_len(c, len_bytes, &len) && get_text(c, len, ret))
		return true;
	c->pos = start;
	return false;
}

/* "header_page\0" u64 length, text; "header_event\0" likewise. */
static bool get_named(struct kft_cursor *c, const char *name, struct kft_blob *ret)
{
	const char *found;

	return kft_cursor_str(c, &found) && strcmp(found, name) == 0 &&
	       get_sized(c, 8, ret);
}

/*
 * HEADER INFO SECTION. The size of its commit field is the
 * kernel's long, not user space's.
 */
static void read_header_info(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			     struct kft_cursor *c)
{
	struct kft_meta *m = &d->trace->meta;

	if (!get_named(c, "header_page", &m->header_page)) {
		kft_dat_damage_at(d, x, c, "no header_page is there");
		return;
	}
	int r = kft_ring_layout_parse(m->header_page.data, m->header_page.len,
				      m->big_endian, &d->layout);
	if (r < 0)
		kft_dat_damage_at(d, x, c,
				  "header_page describes no pages that kft knows");
	else
		m->long_size = d->layout.commit_size;
	if (!get_named(c, "header_event", &m->header_event))
		kft_dat_damage_at(d, x, c, "no header_event is there");
}

/* u64 length and text of one format. False when the formats after it cannot be found. */
static bool read_format(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			struct kft_cursor *c, const char *system)
{
	struct kft_meta *m = &d->trace->meta;
	struct kft_format_text f = {.system = system};
	uint64_t at = c->pos;

	if (m->formats.len == KFT_TRACEDAT_MAX_FORMATS) {
		kft_dat_damage_at(d, x, c, "more event formats than ids");
		return false;
	}
	if (!get_sized(c, 8, &f.text)) {
		kft_dat_damage_at(d, x, c, PAST_END);
		return false;
	}
	int r = kft_class_table_add(&d->trace->classes, system, f.text.data, f.text.len);
	if (r == -EINVAL)
		kft_trace_note(d->trace, x->offset + at, "%s: a format without an ID",
			       x->what);
	if (r == -ENOMEM || !kft_vec_push(&m->formats, f)) {
		kft_dat_damage(d, -ENOMEM, x->what, x->offset, "out of memory");
		return false;
	}
	return true;
}

static bool read_formats(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			 struct kft_cursor *c, const char *system)
{
	uint32_t n;

	if (!kft_cursor_u32(c, &n)) {
		kft_dat_damage_at(d, x, c, PAST_END);
		return false;
	}
	for (uint32_t i = 0; i < n; i++)
		if (!read_format(d, x, c, system))
			return false;
	return true;
}

/* FTRACE EVENT FORMATS SECTION: u32 count, formats */
static void read_ftrace_events(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			       struct kft_cursor *c)
{
	(void)read_formats(d, x, c, "ftrace");
}

/* EVENT FORMATS SECTION: u32 count, systems of name NUL, u32 count, formats */
static void read_event_formats(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			       struct kft_cursor *c)
{
	uint32_t n;

	if (!kft_cursor_u32(c, &n)) {
		kft_dat_damage_at(d, x, c, PAST_END);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		const char *system;

		if (!kft_cursor_str(c, &system)) {
			kft_dat_damage_at(d, x, c, PAST_END);
			return;
		}
		if (!read_formats(d, x, c, system))
			return;
	}
}

static void read_text(struct kft_dat_reader *d, const struct kft_dat_extent *x,
		      struct kft_cursor *c, unsigned int len_bytes, struct kft_blob *ret)
{
	if (get_sized(c, len_bytes, ret))
		return;
	kft_dat_damage_at(d, x, c, PAST_END);
	/* The lines before the file's end are used. */
	if (kft_cursor_skip(c, len_bytes))
		(void)get_text(c, kft_cursor_left(c), ret);
}

static void read_kallsyms(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			  struct kft_cursor *c)
{
	read_text(d, x, c, 4, &d->trace->meta.kallsyms);
}

static void read_printk(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			struct kft_cursor *c)
{
	read_text(d, x, c, 4, &d->trace->meta.printk_formats);
}

static void read_cmdlines(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			  struct kft_cursor *c)
{
	read_text(d, x, c, 8, &d->trace->meta.cmdlines);
}

typedef void read_part_fn(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			  struct kft_cursor *c);

static read_part_fn *const readers[KFT_DAT_N_PARTS] = {
	[KFT_DAT_HEADER_INFO] = read_header_info,
	[KFT_DAT_FTRACE_EVENTS] = read_ftrace_events,
	[KFT_DAT_EVENT_FORMATS] = read_event_formats,
	[KFT_DAT_KALLSYMS] = read_kallsyms,
	[KFT_DAT_PRINTK] = read_printk,
	[KFT_DAT_CMDLINES] = read_cmdlines,
};

static void load_part(struct kft_dat_reader *d, enum kft_dat_part i)
{
	const struct kft_dat_extent *x = &d->parts[i];
	struct kft_cursor c;

	if (x->len && kft_dat_load(d, x, &c) == 0)
		readers[i](d, x, &c);
}

int kft_dat_join_modules(struct kft_dat_reader *d)
{
	struct kft_meta *m = &d->trace->meta;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf all = {};
	int r = kft_modules_join(&m->kallsyms, &d->modules, &all);

	return r < 0 ? r : kft_meta_set_blob(m, &m->kallsyms, all.buf, all.len);
}

/* If the modules' symbols cannot be joined, the trace has all other symbols. */
static void load_kallsyms(struct kft_trace *t)
{
	struct kft_dat_reader *d = t->reader;

	load_part(d, KFT_DAT_KALLSYMS);
	if (d->modules.len)
		(void)!kft_dat_join_modules(d);
}

/*
 * A section that is uncompressed, complete and within the limits cannot turn out to be
 * damaged, so it can be loaded on first use.
 */
static bool can_wait(const struct kft_dat_reader *d, const struct kft_dat_extent *x)
{
	uint8_t len[4];

	return !x->compressed && x->offset <= d->in.size &&
	       x->len <= d->in.size - x->offset &&
	       x->len <= KFT_TRACEDAT_MAX_SECTION_BYTES - d->meta_bytes &&
	       x->len >= sizeof(len) &&
	       kft_dat_input_read(&d->in, x->offset, len, sizeof(len)) == 0 &&
	       kft_load_u32(len, d->in.swap) <= x->len - sizeof(len);
}

void kft_dat_read_meta(struct kft_dat_reader *d)
{
	struct kft_meta *m = &d->trace->meta;

	d->layout = kft_ring_layout_default(m->big_endian, m->long_size);
	for (size_t i = 0; i < KFT_DAT_N_PARTS; i++)
		if (i != KFT_DAT_KALLSYMS)
			load_part(d, i);
	/*
	 * Checked last, when the bytes that the other parts leave of the limit are known.
	 */
	if (can_wait(d, &d->parts[KFT_DAT_KALLSYMS]))
		d->trace->load_kallsyms = load_kallsyms;
	else
		load_part(d, KFT_DAT_KALLSYMS);
	d->trace->classes.long_size = m->long_size;
}
