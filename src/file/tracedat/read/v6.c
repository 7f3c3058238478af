// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads trace.dat files of version 6. */
#include "file/tracedat/read/version.h"

#include <errno.h>
#include <string.h>

#include "file/tracedat/read/read.h"
#include "file/tracedat/read/buffer.h"
#include "file/tracedat/read/meta.h"
#include "file/tracedat/read/option.h"

/*
 * Version 6: a fixed sequence of parts, most of them preceded by their
 * length. A first walk finds their offsets; a malformed part ends it, as the
 * next one cannot be located then.
 */

#define TAG_BYTES	10 /* "options  \0", "flyrecord\0" */
#define CLOCK_BYTES_MAX 4096

static bool skip_named(struct kft_dat_walk *w)
{
	const char *name;
	uint64_t len;

	return kft_dat_walk_str(w, 16, &name) && kft_dat_walk_u64(w, &len) &&
	       kft_dat_walk_skip(w, len);
}

static bool skip_header_info(struct kft_dat_walk *w)
{
	return skip_named(w) && skip_named(w);
}

static bool skip_formats(struct kft_dat_walk *w)
{
	uint32_t n;
	uint64_t len;

	if (!kft_dat_walk_u32(w, &n) || n > KFT_TRACEDAT_MAX_FORMATS)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!kft_dat_walk_u64(w, &len) || !kft_dat_walk_skip(w, len))
			return false;
	return true;
}

static bool skip_systems(struct kft_dat_walk *w)
{
	uint32_t n;
	const char *name;

	if (!kft_dat_walk_u32(w, &n) || n > KFT_TRACEDAT_MAX_FORMATS)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!kft_dat_walk_str(w, 256, &name) || !skip_formats(w))
			return false;
	return true;
}

static bool skip_text4(struct kft_dat_walk *w)
{
	uint32_t len;

	return kft_dat_walk_u32(w, &len) && kft_dat_walk_skip(w, len);
}

static bool skip_text8(struct kft_dat_walk *w)
{
	uint64_t len;

	return kft_dat_walk_u64(w, &len) && kft_dat_walk_skip(w, len);
}

static const struct {
	const char *what;
	bool (*skip)(struct kft_dat_walk *w);
} parts[KFT_DAT_N_PARTS] = {
	[KFT_DAT_HEADER_INFO] = {"header info", skip_header_info},
	[KFT_DAT_FTRACE_EVENTS] = {"ftrace event formats", skip_formats},
	[KFT_DAT_EVENT_FORMATS] = {"event formats", skip_systems},
	[KFT_DAT_KALLSYMS] = {"kallsyms", skip_text4},
	[KFT_DAT_PRINTK] = {"printk formats", skip_text4},
	[KFT_DAT_CMDLINES] = {"command lines", skip_text8},
};

/*
 * A part with an invalid length extends to the end of the file:
 * its beginning can be read.
 */
static bool locate_parts(struct kft_dat_reader *d, struct kft_dat_walk *w)
{
	for (size_t i = 0; i < KFT_DAT_N_PARTS; i++) {
		struct kft_dat_extent *x = &d->parts[i];
		bool whole;

		x->what = parts[i].what;
		x->offset = w->pos;
		whole = parts[i].skip(w);
		x->len = (whole ? w->pos : d->in.size) - x->offset;
		if (!whole)
			return false;
	}
	return true;
}

/* Reads an option's header; false at the end of the list or of the file. */
static bool next_option(struct kft_dat_walk *w, uint16_t *ret_id, uint32_t *ret_len)
{
	const uint8_t *p;

	if (!kft_dat_walk_bytes(w, sizeof(*ret_id), &p))
		return false;
	*ret_id = kft_load_u16(p, w->in->swap);
	return *ret_id != KFT_OPTION_DONE && kft_dat_walk_u32(w, ret_len);
}

static int read_options(struct kft_dat_reader *d, struct kft_dat_walk *w)
{
	struct kft_dat_extent x = {.what = "options", .offset = w->pos};
	struct kft_cursor c;
	uint64_t unused;
	uint16_t id = 0;
	uint32_t len;

	while (next_option(w, &id, &len))
		if (!kft_dat_walk_skip(w, len))
			break;
	/* If the list has no end, reading the options reports where it is malformed. */
	x.len = (id == KFT_OPTION_DONE ? w->pos : d->in.size) - x.offset;
	x.len = KFT_MIN(x.len, (uint64_t)KFT_TRACEDAT_MAX_OPTION_BYTES);
	int r = kft_dat_load(d, &x, &c);
	return r < 0 ? r : kft_dat_read_options(d, &x, &c, &unused);
}

/* An instance's options are skipped except for the number of CPUs. */
static bool read_cpu_count(struct kft_dat_walk *w, uint32_t *count)
{
	uint16_t id = 0;
	uint32_t len;

	while (next_option(w, &id, &len)) {
		uint64_t next = w->pos + len;
		bool is_count = id == KFT_OPTION_CPUCOUNT && len == sizeof(*count);

		if (is_count && !kft_dat_walk_u32(w, count))
			return false;
		if (!is_count && !kft_dat_walk_skip(w, len))
			return false;
		w->pos = next;
	}
	return id == KFT_OPTION_DONE;
}

static bool get_tag(struct kft_dat_walk *w, char tag[TAG_BYTES + 1])
{
	const uint8_t *p;

	if (!kft_dat_walk_bytes(w, TAG_BYTES, &p))
		return false;
	memcpy(tag, p, TAG_BYTES);
	tag[TAG_BYTES] = '\0';
	return true;
}

static bool tag_is(const char *tag, const char *word)
{
	return strncmp(tag, word, strlen(word)) == 0;
}

/* u64 offset, u64 size for each CPU */
static int read_table(struct kft_dat_reader *d, struct kft_dat_walk *w, uint32_t count,
		      const char *name, uint32_t page_size)
{
	_cleanup_free_ struct kft_dat_cpu *cpus = calloc(count + 1, sizeof(*cpus));
	uint64_t at = w->pos;
	uint16_t buffer;
	uint32_t n = 0;

	if (!cpus)
		return -ENOMEM;
	while (n < count && kft_dat_walk_u64(w, &cpus[n].offset) &&
	       kft_dat_walk_u64(w, &cpus[n].size)) {
		cpus[n].cpu = n;
		n++;
	}
	if (n < count)
		(void)kft_dat_damage(d, -ENODATA, "table of CPUs", w->pos,
				     "the file ends in it");
	int r = kft_dat_add_buffer(d, name, NULL, page_size, at, &buffer);
	if (r == 0)
		r = kft_dat_add_cpus(d, buffer, cpus, n, false);
	return r == -ENOMEM ? r : 0;
}

/* u64 length and the text of trace_clock; there are files with a malformed length. */
static void read_clock_text(struct kft_dat_reader *d, struct kft_dat_walk *w)
{
	struct kft_meta *m = &d->trace->meta;
	uint64_t at = w->pos;
	uint64_t len;
	const uint8_t *p;

	if (kft_dat_walk_u64(w, &len) && len <= CLOCK_BYTES_MAX &&
	    kft_dat_walk_bytes(w, len, &p) &&
	    kft_clock_parse((const char *)p, len, &m->clock) == 0 &&
	    kft_meta_set_blob(m, &m->trace_clock, (const char *)p, len) == 0)
		return;
	kft_trace_note(d->trace, at, "no clock is named, taken as local");
}

/* At its offset an instance has options, a tag and a table of its own. */
static int read_instance(struct kft_dat_reader *d, const struct kft_dat_buffer *b)
{
	_cleanup_(kft_dat_walk_finish) struct kft_dat_walk w = {};
	uint32_t count = d->trace->meta.cpu_count;
	char tag[TAG_BYTES + 1];

	if (kft_dat_walk_init(&w, &d->in, b->offset) < 0)
		return -ENOMEM;
	bool ok = get_tag(&w, tag);
	if (ok && tag_is(tag, "options"))
		ok = read_cpu_count(&w, &count) && get_tag(&w, tag);
	if (!ok || !tag_is(tag, "flyrecord") || count > KFT_TRACEDAT_MAX_CPUS) {
		(void)kft_dat_damage(d, -EBADMSG, "buffer of an instance", w.pos,
				     "it does not begin as one");
		return 0;
	}
	return read_table(d, &w, count, b->name, d->trace->meta.page_size);
}

static int read_rest(struct kft_dat_reader *d, struct kft_dat_walk *w, struct kft_err *e)
{
	struct kft_meta *m = &d->trace->meta;
	char tag[TAG_BYTES + 1];
	uint64_t at = w->pos;
	int r = 0;

	bool ok = kft_dat_walk_u32(w, &m->cpu_count) && get_tag(w, tag);
	if (ok && tag_is(tag, "options")) {
		r = read_options(d, w);
		ok = r == 0 && get_tag(w, tag);
	}
	if (r == -ENOMEM)
		return r;
	if (ok && tag_is(tag, "latency"))
		return kft_dat_only_text(e);
	if (!ok || !tag_is(tag, "flyrecord") || m->cpu_count > KFT_TRACEDAT_MAX_CPUS) {
		(void)kft_dat_damage(d, -EBADMSG, "flyrecord", at,
				     "no table of CPUs is there");
		return 0;
	}
	/*
	 * The clock's text follows the table, but is needed
	 * first, for the table's buffer.
	 */
	if (d->has_clock_text && !m->trace_clock.len) {
		uint64_t table = w->pos;

		w->pos += (uint64_t)m->cpu_count * 16;
		read_clock_text(d, w);
		w->pos = table;
	}
	r = read_table(d, w, m->cpu_count, "", m->page_size);
	kft_vec_for_each(&d->buffers, b) {
		if (r == 0)
			r = read_instance(d, b);
	}
	return r;
}

/* INITIAL FORMAT with "0.6\0" as version; files before 0.6 have no command lines. */
static bool read_start(struct kft_dat_walk *w, uint32_t *ret_long_size)
{
	const char *version;
	const uint8_t *p;
	uint32_t page_size;

	if (!kft_dat_walk_bytes(w, KFT_TRACEDAT_MAGIC_BYTES, &p) ||
	    !kft_tracedat_match(p, KFT_TRACEDAT_MAGIC_BYTES) ||
	    !kft_dat_walk_str(w, 16, &version) || !kft_dat_walk_bytes(w, 2, &p) ||
	    (p[1] != 4 && p[1] != 8))
		return false;
	uint8_t long_size = p[1];
	if (!kft_dat_walk_u32(w, &page_size))
		return false;
	*ret_long_size = long_size;
	return true;
}

int kft_tracedat_read_texts(struct kft_trace *t, const struct kft_dat_input *in,
			    const char *path, uint64_t offset, uint64_t len)
{
	_cleanup_(kft_dat_walk_finish) struct kft_dat_walk w = {};
	struct kft_dat_reader d = {.trace = t, .path = path, .in = *in};

	if (offset > in->size)
		offset = in->size;
	if (len > in->size - offset)
		(void)kft_dat_damage(&d, -ENODATA, "formats of events", in->size,
				     "the file ends in them");
	else
		d.in.size = offset + len;
	if (kft_dat_walk_init(&w, &d.in, offset) < 0)
		return -ENOMEM;
	if (!read_start(&w, &t->meta.long_size)) {
		(void)kft_dat_damage(&d, -ENODATA, "formats of events", offset,
				     "they begin with no header");
		return 0;
	}
	(void)locate_parts(&d, &w);
	void *reader = t->reader;
	t->reader = &d;
	kft_dat_read_meta(&d);
	(void)kft_trace_kallsyms(t);
	t->reader = reader;
	return 0;
}

int kft_dat_read_v6(struct kft_dat_reader *d, uint64_t pos, struct kft_err *e)
{
	_cleanup_(kft_dat_walk_finish) struct kft_dat_walk w = {};

	if (kft_dat_walk_init(&w, &d->in, pos) < 0)
		return -ENOMEM;
	bool whole = locate_parts(d, &w);
	kft_dat_read_meta(d);
	if (w.failed < 0)
		return kft_dat_damage(d, w.failed, "metadata", w.pos, "cannot be read");
	if (whole)
		return read_rest(d, &w, e);
	(void)kft_dat_damage(d, -ENODATA, "metadata", w.pos, "the file ends in it");
	return 0;
}
