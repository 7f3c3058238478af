// SPDX-License-Identifier: LGPL-2.1-or-later
/* Exports a profile for pprof: the stacks of the folded format as a protobuf message. */
#include <errno.h>
#include <string.h>

#if HAVE_ZLIB
#include <zlib.h>
#endif

#include "export/protobuf.h"
#include "export/export_impl.h"
#include "model/stacks.h"

/* Fields of profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,

	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	LOCATION_ID = 1,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
};

/* The first strings, before the names; number 0 must be empty. */
static const char *const words[] = {"", "time", "nanoseconds", "stacks", "count"};

static void add_type(struct kft_strbuf *sb, bool is_time)
{
	size_t type = kft_pb_begin(sb, PROFILE_SAMPLE_TYPE);

	kft_pb_number(sb, TYPE_TYPE, is_time ? 1 : 3);
	kft_pb_number(sb, TYPE_UNIT, is_time ? 2 : 4);
	kft_pb_end(sb, type);
}

/* Appends a sample, with the innermost frame first. */
static void add_sample(struct kft_strbuf *sb, const struct kft_stacks *s, uint32_t frame)
{
	size_t sample = kft_pb_begin(sb, PROFILE_SAMPLE);

	for (uint32_t i = frame; i != KFT_STACKS_NONE; i = s->frames.data[i].parent)
		kft_pb_number(sb, SAMPLE_LOCATION, s->frames.data[i].name + UINT64_C(1));
	kft_pb_number(sb, SAMPLE_VALUE, s->frames.data[frame].weight);
	kft_pb_end(sb, sample);
}

/* Appends a name as a function, its location and its string; ids begin at 1. */
static void add_name(struct kft_strbuf *sb, uint32_t name)
{
	const uint64_t id = name + UINT64_C(1);
	size_t location = kft_pb_begin(sb, PROFILE_LOCATION);
	size_t line;

	kft_pb_number(sb, LOCATION_ID, id);
	line = kft_pb_begin(sb, LOCATION_LINE);
	kft_pb_number(sb, LINE_FUNCTION, id);
	kft_pb_end(sb, line);
	kft_pb_end(sb, location);
	size_t function = kft_pb_begin(sb, PROFILE_FUNCTION);
	kft_pb_number(sb, FUNCTION_ID, id);
	kft_pb_number(sb, FUNCTION_NAME, name + ARRAY_SIZE(words));
	kft_pb_end(sb, function);
}

static void add_profile(struct kft_strbuf *sb, const struct kft_stacks *s, bool is_time)
{
	add_type(sb, is_time);
	for (uint32_t i = 0; i < s->frames.len; i++)
		if (s->frames.data[i].weight)
			add_sample(sb, s, i);
	for (uint32_t i = 0; i < s->names.strings.len; i++)
		add_name(sb, i);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		kft_pb_bytes(sb, PROFILE_STRING, words[i], strlen(words[i]));
	kft_vec_for_each(&s->names.strings, name)
		kft_pb_text(sb, PROFILE_STRING, name->text, name->len);
}

#if HAVE_ZLIB
/* Compresses with gzip. pprof reads uncompressed profiles, too. */
static int pack(const struct kft_strbuf *from, struct kft_strbuf *to)
{
	z_stream z = {.next_in = (unsigned char *)from->buf, .avail_in = from->len};

	if (from->len > UINT32_MAX)
		return -E2BIG;
	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	size_t bound = deflateBound(&z, from->len);
	int r = kft_strbuf_reserve(to, bound) ? 0 : -ENOMEM;

	if (r == 0) {
		z.next_out = (unsigned char *)to->buf + to->len;
		z.avail_out = bound;
		r = deflate(&z, Z_FINISH) == Z_STREAM_END ? 0 : -EIO;
		to->len += z.total_out;
	}
	(void)deflateEnd(&z);
	return r;
}
#else
static int pack(const struct kft_strbuf *from, struct kft_strbuf *to)
{
	kft_strbuf_add(to, from->buf, from->len);
	return 0;
}
#endif

static int write_pprof(struct kft_export *x)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_stacks stacks;
	bool is_time;

	kft_stacks_init(&stacks);
	int r = kft_export_stacks(x, &stacks, &is_time);

	if (r == 0) {
		add_profile(&sb, &stacks, is_time);
		r = kft_strbuf_ok(&sb) ? pack(&sb, &x->sb) : -ENOMEM;
	}
	kft_stacks_finish(&stacks);
	return r < 0 ? kft_export_failed(x, r) : 0;
}

const struct kft_export_format kft_export_pprof = {
	.summary = "stacks of calls by time, packed",
	.viewer = "go tool pprof, speedscope, Perfetto",
	.write = write_pprof,
};
