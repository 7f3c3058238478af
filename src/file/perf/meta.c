// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads a perf.data file's metadata: its header and features. */
#include "file/perf/meta.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "file/tracedat/read/read.h"

struct section {
	uint64_t offset;
	uint64_t size;
};

static bool get_section(struct kft_cursor *c, struct section *ret)
{
	return kft_cursor_u64(c, &ret->offset) && kft_cursor_u64(c, &ret->size);
}

/* A string: u32 length, text padded with NULs. */
static bool get_str(struct kft_cursor *c, const char **ret, size_t *ret_len)
{
	uint32_t len;
	const uint8_t *p;

	if (!kft_cursor_u32(c, &len) || !kft_cursor_bytes(c, len, &p))
		return false;
	*ret = (const char *)p;
	*ret_len = strnlen(*ret, len);
	return true;
}

/* Names become part of format texts, so characters with a meaning there are replaced. */
static const char *clean_name(struct kft_perf *p, const char *name, size_t len)
{
	char *copy = kft_arena_strndup(&p->trace->arena, name,
				       KFT_MIN(len, (size_t)KFT_PERF_MAX_NAME_BYTES));

	for (char *c = copy; c && *c; c++)
		if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f || *c == ';')
			*c = '_';
	return copy && *copy ? copy : NULL;
}

static int add_ids(struct kft_perf *p, struct kft_cursor *c, size_t i, uint64_t at)
{
	uint64_t id;

	while (kft_cursor_u64(c, &id)) {
		int r = kft_perf_attrs_add_id(&p->attrs, id, i);

		if (r == -EFBIG)
			return kft_perf_damage(p, r, at, "more than %u ids of events",
					       KFT_PERF_MAX_IDS);
		if (r < 0)
			return r;
	}
	return 0;
}

static int add_attr(struct kft_perf *p, const uint8_t *data, size_t len, uint64_t at)
{
	int r = kft_perf_attrs_add(&p->attrs, data, len);

	if (r == 0 &&
	    (p->attrs.list.data[p->attrs.list.len - 1].read_format & KFT_PERF_READ_LOST))
		p->counts_lost = true;
	if (r == -EINVAL)
		return kft_perf_damage(p, r, at, "invalid size of an event: %zu bytes",
				       len);
	if (r == -EFBIG)
		return kft_perf_damage(p, r, at, "more than %u events",
				       KFT_PERF_MAX_ATTRS);
	return r;
}

/* HEADER_ATTR: struct perf_event_attr, u64 ids[] */
static int take_attr(struct kft_perf *p, struct kft_cursor *c, uint64_t at)
{
	const uint8_t *data;

	if (kft_cursor_left(c) < KFT_PERF_ATTR_BYTES_MIN)
		return kft_perf_damage(p, -EINVAL, at, "an event is cut");
	uint32_t len = kft_load_u32(c->base + c->pos + 4, c->swap);
	if (!len)
		len = KFT_PERF_ATTR_BYTES_MIN;
	if (!kft_cursor_bytes(c, len, &data))
		return kft_perf_damage(p, -EINVAL, at, "an event is cut");
	int r = add_attr(p, data, len, at);
	return r < 0 ? r : add_ids(p, c, p->attrs.list.len - 1, at);
}

/* EVENT_UPDATE: u64 type, u64 id, then for the type NAME a string */
static void take_update(struct kft_perf *p, struct kft_cursor *c)
{
	uint64_t type;
	uint64_t id;

	if (!kft_cursor_u64(c, &type) || !kft_cursor_u64(c, &id) ||
	    type != KFT_PERF_UPDATE_NAME)
		return;
	const uint64_t *i = kft_map_get(&p->attrs.by_id, id);
	const char *name = (const char *)c->base + c->pos;
	if (i)
		p->attrs.list.data[*i].name =
			clean_name(p, name, strnlen(name, kft_cursor_left(c)));
}

/* ID_INDEX: u64 n, n times u64 id, u64 index, u64 CPU, u64 tid */
static int take_index(struct kft_perf *p, struct kft_cursor *c)
{
	uint64_t id;
	uint64_t cpu;

	if (!kft_cursor_skip(c, sizeof(uint64_t)))
		return 0;
	while (kft_cursor_u64(c, &id) && kft_cursor_skip(c, sizeof(uint64_t)) &&
	       kft_cursor_u64(c, &cpu) && kft_cursor_skip(c, sizeof(uint64_t))) {
		if (id == KFT_MAP_NO_KEY || cpu >= KFT_PERF_MAX_CPUS ||
		    p->cpu_by_id.len == KFT_PERF_MAX_IDS)
			continue;
		uint64_t *place = kft_map_put(&p->cpu_by_id, id);
		if (!place)
			return -ENOMEM;
		*place = cpu;
	}
	return 0;
}

static int read_text(struct kft_perf *p, struct kft_cursor *c, const char *before,
		     struct kft_blob *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const char *text;
	size_t len;

	if (!get_str(c, &text, &len))
		return 0;
	kft_strbuf_adds(&sb, before);
	kft_strbuf_add(&sb, text, len);
	const char *whole = kft_strbuf_cstr(&sb);
	return kft_meta_set_blob(&p->trace->meta, ret, whole, sb.len);
}

/* HEADER_CMDLINE: u32 number of words, words */
static int read_command(struct kft_perf *p, struct kft_cursor *c)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const char *word;
	uint32_t n;
	size_t len;

	if (!kft_cursor_u32(c, &n))
		return 0;
	for (uint32_t i = 0; i < n && get_str(c, &word, &len); i++) {
		bool blank = memchr(word, ' ', len) || !len;

		kft_strbuf_adds(&sb, i ? " " : "");
		kft_strbuf_adds(&sb, blank ? "'" : "");
		kft_strbuf_add(&sb, word, len);
		kft_strbuf_adds(&sb, blank ? "'" : "");
	}
	return kft_meta_set_blob(&p->trace->meta, &p->trace->meta.command,
				 kft_strbuf_cstr(&sb), sb.len);
}

/*
 * HEADER_EVENT_DESC: u32 events, u32 bytes of an attr, then for each: attr,
 * u32 ids, name, u64 ids[]
 */
static void read_names(struct kft_perf *p, struct kft_cursor *c)
{
	uint32_t n;
	uint32_t attr_bytes;
	uint32_t n_ids;
	const char *name;
	size_t len;

	if (!kft_cursor_u32(c, &n) || !kft_cursor_u32(c, &attr_bytes))
		return;
	n = KFT_MIN(n, (uint32_t)p->attrs.list.len);
	for (uint32_t i = 0; i < n; i++) {
		if (!kft_cursor_skip(c, attr_bytes) || !kft_cursor_u32(c, &n_ids) ||
		    !get_str(c, &name, &len) ||
		    !kft_cursor_skip(c, n_ids * sizeof(uint64_t)))
			return;
		p->attrs.list.data[i].name = clean_name(p, name, len);
	}
}

/* HEADER_CLOCK_DATA: the time of day and the samples' clock, read at the same moment. */
static int read_clock_data(struct kft_perf *p, struct kft_cursor *c)
{
	struct kft_wall wall = {.is_known = true};
	uint32_t version;
	uint32_t clock;
	uint64_t now;

	if (!kft_cursor_u32(c, &version) || version != 1 || !kft_cursor_u32(c, &clock) ||
	    !kft_cursor_u64(c, &wall.add) || !kft_cursor_u64(c, &now))
		return 0;
	wall.add -= now;
	p->trace->meta.wall = wall;
	return 0;
}

static int read_feature(struct kft_perf *p, unsigned int feature, struct kft_cursor *c)
{
	struct kft_meta *m = &p->trace->meta;

	switch (feature) {
	case KFT_PERF_FEATURE_HOSTNAME:
		return read_text(p, c, "", &p->hostname);
	case KFT_PERF_FEATURE_OSRELEASE:
		return read_text(p, c, "", &p->release);
	case KFT_PERF_FEATURE_ARCH:
		return read_text(p, c, "", &p->arch);
	case KFT_PERF_FEATURE_VERSION:
		return read_text(p, c, "perf ", &m->version);
	case KFT_PERF_FEATURE_NRCPUS:
		m->has_machine_cpus = kft_cursor_u32(c, &m->cpu_count);
		m->cpu_count = KFT_MIN(m->cpu_count, KFT_PERF_MAX_CPUS);
		return 0;
	case KFT_PERF_FEATURE_CMDLINE:
		return read_command(p, c);
	case KFT_PERF_FEATURE_EVENT_DESC:
		read_names(p, c);
		return 0;
	case KFT_PERF_FEATURE_CLOCK_DATA:
		return read_clock_data(p, c);
	default:
		return 0;
	}
}

int kft_perf_take_meta(struct kft_perf *p, uint32_t type, const uint8_t *rec, size_t size,
		       uint64_t after, uint64_t trailing)
{
	struct kft_cursor c = kft_cursor_init(rec, size, p->in.swap);
	uint64_t feature;
	int r;

	if (!kft_cursor_skip(&c, KFT_PERF_RECORD_HEADER_BYTES))
		return 0;
	switch (type) {
	case KFT_PERF_RECORD_HEADER_ATTR:
		r = take_attr(p, &c, after - size);
		return r == -ENOMEM ? r : 0;
	case KFT_PERF_RECORD_EVENT_UPDATE:
		take_update(p, &c);
		return 0;
	case KFT_PERF_RECORD_ID_INDEX:
		return take_index(p, &c);
	case KFT_PERF_RECORD_TRACING_DATA:
		return kft_tracedat_read_texts(p->trace, &p->data, p->path, after,
					       trailing);
	case KFT_PERF_RECORD_HEADER_FEATURE:
		if (!p->is_pipe || !kft_cursor_u64(&c, &feature) ||
		    feature >= KFT_PERF_FEATURES)
			return 0;
		return read_feature(p, feature, &c);
	default:
		return 0;
	}
}

/*
 * A section's bytes, freed by the caller; NULL (with damage) when
 * the file ends before them.
 */
static uint8_t *load(struct kft_perf *p, const struct section *s, const char *what)
{
	if (s->offset > p->in.size || s->size > p->in.size - s->offset) {
		(void)kft_perf_damage(p, -ENODATA, p->in.size, "the file ends before %s",
				      what);
		return NULL;
	}
	if (s->size > KFT_PERF_MAX_FEATURE_BYTES) {
		(void)kft_perf_damage(p, -EFBIG, s->offset, "%" PRIu64 " bytes of %s",
				      s->size, what);
		return NULL;
	}
	uint8_t *bytes = malloc(s->size + 1);
	int r = bytes ? kft_dat_input_read(&p->in, s->offset, bytes, s->size) : -ENOMEM;
	if (r < 0) {
		free(bytes);
		(void)kft_perf_damage(p, r, s->offset, "%s cannot be read", what);
		return NULL;
	}
	return bytes;
}

static int read_ids(struct kft_perf *p, const struct section *s, size_t i)
{
	_cleanup_free_ uint8_t *bytes = load(p, s, "ids of events");

	if (!bytes)
		return 0;
	struct kft_cursor c = kft_cursor_init(bytes, s->size, p->in.swap);
	return add_ids(p, &c, i, s->offset);
}

/* The attrs section: entries of struct perf_event_attr, section of its u64 ids[]. */
static int read_attrs(struct kft_perf *p, const struct section *s, uint64_t attr_bytes)
{
	const size_t own = 2 * sizeof(uint64_t);
	_cleanup_free_ uint8_t *bytes = load(p, s, "the events");

	if (!bytes)
		return 0;
	if (attr_bytes < own || attr_bytes > KFT_PERF_ATTR_BYTES_MAX + own) {
		(void)kft_perf_damage(p, -EBADMSG, 16, "events of %" PRIu64 " bytes",
				      attr_bytes);
		return 0;
	}
	struct kft_cursor c = kft_cursor_init(bytes, s->size, p->in.swap);
	while (kft_cursor_left(&c) >= attr_bytes) {
		const uint8_t *attr;
		struct section ids;

		if (!kft_cursor_bytes(&c, attr_bytes - own, &attr) ||
		    !get_section(&c, &ids))
			break;
		int r = add_attr(p, attr, attr_bytes - own, s->offset);
		if (r == 0)
			r = read_ids(p, &ids, p->attrs.list.len - 1);
		if (r < 0)
			return r == -ENOMEM ? r : 0;
	}
	return 0;
}

static int read_section(struct kft_perf *p, unsigned int feature, const struct section *s)
{
	if (feature == KFT_PERF_FEATURE_BUILD_ID) {
		p->maps.build_ids = s->offset;
		p->maps.build_ids_bytes = s->size;
		return 0;
	}
	if (feature == KFT_PERF_FEATURE_TRACING_DATA)
		return kft_tracedat_read_texts(p->trace, &p->in, p->path, s->offset,
					       s->size);
	_cleanup_free_ uint8_t *bytes = load(p, s, "the description of the machine");
	if (!bytes)
		return 0;
	struct kft_cursor c = kft_cursor_init(bytes, s->size, p->in.swap);
	return read_feature(p, feature, &c);
}

static bool wants_feature(unsigned int feature)
{
	return feature == KFT_PERF_FEATURE_TRACING_DATA ||
	       feature == KFT_PERF_FEATURE_BUILD_ID ||
	       (feature >= KFT_PERF_FEATURE_HOSTNAME &&
		feature <= KFT_PERF_FEATURE_NRCPUS) ||
	       feature == KFT_PERF_FEATURE_CMDLINE ||
	       feature == KFT_PERF_FEATURE_EVENT_DESC ||
	       feature == KFT_PERF_FEATURE_CLOCK_DATA;
}

/*
 * The table after the records has a section for each feature bit
 * that is set, in bit order.
 */
static int read_features(struct kft_perf *p, const uint64_t *bits)
{
	uint8_t table[KFT_PERF_FEATURES * 2 * sizeof(uint64_t)];
	size_t len = 0;
	int r = kft_dat_input_read_some(&p->in, p->end, table, sizeof(table), &len);

	if (r < 0) {
		(void)kft_perf_damage(p, r, p->end, "cannot be read");
		return 0;
	}
	struct kft_cursor c = kft_cursor_init(table, len, p->in.swap);
	for (unsigned int i = 0; i < KFT_PERF_FEATURES; i++) {
		struct section s;

		if (!kft_bits_has(bits, i))
			continue;
		if (!get_section(&c, &s)) {
			(void)kft_perf_damage(
				p, -ENODATA, p->end + c.pos,
				"the file ends before its header features, "
				"which describe the machine and the events");
			return 0;
		}
		r = wants_feature(i) ? read_section(p, i, &s) : 0;
		if (r < 0)
			return r;
	}
	return 0;
}

/*
 * Sets the range of the records. perf writes their size when it ends: 0 means
 * that perf did not get there.
 */
static void set_records(struct kft_perf *p, const struct section *data)
{
	p->start = KFT_MIN(data->offset, p->in.size);
	p->end = p->in.size;
	if (!data->size)
		p->trace->unfinished = true;
	else if (data->size <= p->in.size - p->start)
		p->end = p->start + data->size;
	else
		(void)kft_perf_damage(p, -ENODATA, p->in.size,
				      "the file ends before its records do");
}

/*
 * A 32-bit big-endian machine writes the bitmap as 32-bit words, so the halves
 * of each u64 are swapped.
 */
static void fix_bits(const struct kft_perf *p, uint64_t *bits)
{
	if (!p->attrs.big_endian || bits[0] >> KFT_PERF_FEATURE_HOSTNAME & 1)
		return;
	for (size_t i = 0; i < KFT_PERF_FEATURES / 64; i++)
		bits[i] = bits[i] << 32 | bits[i] >> 32;
}

static int read_file_header(struct kft_perf *p, struct kft_cursor *c)
{
	uint64_t bits[KFT_PERF_FEATURES / 64] = {};
	struct section attrs;
	struct section data;
	struct section types;
	uint64_t attr_bytes;

	if (!kft_cursor_u64(c, &attr_bytes) || !get_section(c, &attrs) ||
	    !get_section(c, &data) || !get_section(c, &types))
		return -ENODATA;
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		if (!kft_cursor_u64(c, &bits[i]))
			return -ENODATA;
	fix_bits(p, bits);
	set_records(p, &data);
	int r = read_attrs(p, &attrs, attr_bytes);
	/*
	 * The features stand after the records, and their offset is unknown
	 * without the records' size.
	 */
	return r < 0 || p->trace->unfinished ? r : read_features(p, bits);
}

int kft_perf_read_header(struct kft_perf *p, struct kft_err *e)
{
	uint8_t head[KFT_PERF_FILE_HEADER_BYTES];
	size_t len = 0;
	uint64_t size;
	int r = kft_dat_input_read_some(&p->in, 0, head, sizeof(head), &len);

	if (r < 0)
		return r;
	struct kft_cursor c = kft_cursor_init(head, len, p->in.swap);
	if (!kft_cursor_skip(&c, KFT_PERF_MAGIC_BYTES) || !kft_cursor_u64(&c, &size))
		return kft_err_set(e, -ENODATA, "the file ends in its first bytes");
	p->is_pipe = size == KFT_PERF_PIPE_HEADER_BYTES;
	if (p->is_pipe) {
		p->start = KFT_PERF_PIPE_HEADER_BYTES;
		p->end = p->in.size;
		return 0;
	}
	if (size < KFT_PERF_FILE_HEADER_BYTES)
		return kft_err_set(e, -EINVAL, "at byte 8: a header of %" PRIu64 " bytes",
				   size);
	r = read_file_header(p, &c);
	if (r == -ENODATA)
		return kft_err_set(e, r, "the file ends in its first bytes");
	return r;
}

static const char *clock_name(int32_t clockid)
{
	/* Clock ids of <linux/time.h>, named as in tracefs' trace_clock. */
	switch (clockid) {
	case 0:
		return "realtime";
	case 1:
		return "mono";
	case 4:
		return "mono_raw";
	case 7:
		return "boot";
	case 11:
		return "tai";
	default:
		return "perf";
	}
}

static void add_word(struct kft_strbuf *sb, const struct kft_blob *b)
{
	kft_strbuf_addc(sb, ' ');
	if (b->data)
		kft_strbuf_add(sb, b->data, b->len);
	else
		kft_strbuf_addc(sb, '?');
}

int kft_perf_finish_meta(struct kft_perf *p)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_meta *m = &p->trace->meta;
	const char *clock = clock_name(p->attrs.list.len ? p->attrs.list.data[0].clockid
							 : -1);

	if (kft_clock_parse(clock, strlen(clock), &m->clock) < 0)
		return -ENOMEM;
	if (!p->release.data)
		return 0;
	kft_strbuf_adds(&sb, "Linux");
	add_word(&sb, &p->hostname);
	add_word(&sb, &p->release);
	add_word(&sb, &p->arch);
	return kft_meta_set_blob(m, &m->uname, kft_strbuf_cstr(&sb), sb.len);
}
