// SPDX-License-Identifier: GPL-2.0-only
#include "perf_data.h"

#include <sys/mman.h>
#if HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/io.h"
#include "formats.h"
#include "file/perf/read.h"

#define ATTR_BYTES  128
#define IDENTIFIER  (1u << 16)
#define SAMPLE_TYPE (1u | 2u | 4u | 128u | 256u | IDENTIFIER) /* ip tid time cpu period */
#define CALLCHAIN   32u
#define RAW	    1024u

static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
static const char format[] = BEAT_FORMAT;

void t_perf_put(const struct t_perf *t, struct kft_strbuf *sb, uint64_t v,
		unsigned int bytes)
{
	uint8_t raw[8];

	for (unsigned int i = 0; i < bytes; i++)
		raw[i] = v >> 8 * (t->big ? bytes - 1 - i : i);
	kft_strbuf_add(sb, raw, bytes);
}

static void put(struct t_perf *t, uint64_t v, unsigned int bytes)
{
	t_perf_put(t, &t->bytes, v, bytes);
}

static void put_header(struct t_perf *t, uint32_t type, size_t body)
{
	put(t, type, 4);
	put(t, 2, 2); /* of user space */
	put(t, body + 8, 2);
}

/* Bits 13 and 18 of its flags: comm, sample_id_all. */
static void put_attr(struct t_perf *t, uint32_t type, uint64_t config, uint64_t sample)
{
	size_t end = t->bytes.len + ATTR_BYTES;

	put(t, type, 4);
	put(t, ATTR_BYTES, 4);
	put(t, config, 8);
	put(t, 1, 8);
	put(t, sample, 8);
	put(t, t->counts_lost ? 16 : 0, 8);
	for (unsigned int i = 0; i < 8; i++) {
		unsigned int bit = i == 1 ? 13 - 8 : 18 - 16;

		put(t, i == 1 || i == 2 ? 1u << (t->big ? 7 - bit : bit) : 0, 1);
	}
	kft_strbuf_fill(&t->bytes, '\0', end - t->bytes.len);
}

static void put_sized(const struct t_perf *t, struct kft_strbuf *sb, const char *text)
{
	t_perf_put(t, sb, strlen(text), 8);
	kft_strbuf_adds(sb, text);
}

/* INITIAL FORMAT and the texts behind it, as trace-cmd.dat.v6(5) has them. */
static void make_texts(const struct t_perf *t, struct kft_strbuf *sb)
{
	kft_strbuf_add(sb, "\x17\x08\x44tracing0.6", 14);
	kft_strbuf_addc(sb, t->big);
	kft_strbuf_addc(sb, 8);
	t_perf_put(t, sb, 4096, 4);
	kft_strbuf_add(sb, "header_page", 12);
	put_sized(t, sb, header_page);
	kft_strbuf_add(sb, "header_event", 13);
	put_sized(t, sb, "");
	t_perf_put(t, sb, 0, 4);
	t_perf_put(t, sb, 1, 4);
	kft_strbuf_add(sb, "kft_test", 9);
	t_perf_put(t, sb, 1, 4);
	put_sized(t, sb, format);
	t_perf_put(t, sb, 0, 4);
	t_perf_put(t, sb, 0, 4);
	t_perf_put(t, sb, 0, 8);
}

static void begin_pipe(struct t_perf *t)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf texts = {};

	put(t, 16, 8);
	put_header(t, 64, ATTR_BYTES + 8);
	put_attr(t, 2, T_PERF_ID, SAMPLE_TYPE | RAW);
	put(t, T_PERF_BEAT, 8);
	put_header(t, 64, ATTR_BYTES + 8);
	put_attr(t, 1, 0, SAMPLE_TYPE | CALLCHAIN);
	put(t, T_PERF_CLOCK, 8);
	make_texts(t, &texts);
	while (texts.len % 8)
		kft_strbuf_addc(&texts, '\0');
	if (t->cut_texts)
		texts.len = KFT_MIN(texts.len, t->cut_texts);
	put_header(t, 66, 4);
	put(t, texts.len, 4);
	kft_strbuf_add(&t->bytes, texts.buf, texts.len);
}

/* Header; attrs with their ids behind both. The records' size is put in at the end. */
static void begin_file(struct t_perf *t)
{
	size_t ids = 104 + 2 * (ATTR_BYTES + 16);

	put(t, 104, 8);
	put(t, ATTR_BYTES + 16, 8);
	put(t, 104, 8);
	put(t, 2 * (ATTR_BYTES + 16), 8);
	put(t, ids + 16, 8);
	put(t, 0, 8);
	put(t, 0, 8);
	put(t, 0, 8);
	put(t, 1u << 1 | 1u << 3 | 1u << 7, 8); /* texts, hostname, CPUs */
	kft_strbuf_fill(&t->bytes, '\0', 24);
	put_attr(t, 2, T_PERF_ID, SAMPLE_TYPE | RAW);
	put(t, ids, 8);
	put(t, 8, 8);
	put_attr(t, 1, 0, SAMPLE_TYPE | CALLCHAIN);
	put(t, ids + 8, 8);
	put(t, 8, 8);
	put(t, T_PERF_BEAT, 8);
	put(t, T_PERF_CLOCK, 8);
}

void t_perf_begin(struct t_perf *t)
{
	kft_strbuf_adds(&t->bytes, t->old   ? "PERFFILE"
				   : t->big ? "2ELIFREP"
					    : "PERFILE2");
	if (t->pipe)
		begin_pipe(t);
	else
		begin_file(t);
	t->start = t->bytes.len;
}

static void put_fixed(struct t_perf *t, uint64_t id, uint32_t cpu, uint64_t ts)
{
	put(t, id, 8);
	put(t, 0x1234, 8); /* ip */
	put(t, 7, 4); /* tgid */
	put(t, 70 + cpu, 4);
	put(t, ts, 8);
	put(t, cpu, 4);
	put(t, 0, 4);
	put(t, 1, 8); /* period */
}

void t_perf_beat_with(struct t_perf *t, uint32_t cpu, uint64_t ts, uint32_t n,
		      const void *more, size_t len)
{
	put_header(t, 9, 48 + 16 + len);
	put_fixed(t, T_PERF_BEAT, cpu, ts);
	put(t, 12 + len, 4);
	put(t, T_PERF_ID, 2);
	put(t, 0, 2);
	put(t, 70 + cpu, 4);
	put(t, n, 4);
	kft_strbuf_add(&t->bytes, more, len);
}

void t_perf_beat(struct t_perf *t, uint32_t cpu, uint64_t ts, uint32_t n)
{
	t_perf_beat_with(t, cpu, ts, n, "", 0);
}

void t_perf_clock(struct t_perf *t, uint32_t cpu, uint64_t ts, const uint64_t *chain,
		  size_t n)
{
	put_header(t, 9, 48 + 8 + n * 8);
	put_fixed(t, T_PERF_CLOCK, cpu, ts);
	put(t, n, 8);
	for (size_t i = 0; i < n; i++)
		put(t, chain[i], 8);
}

void t_perf_record(struct t_perf *t, uint32_t type, const void *body, size_t len,
		   uint32_t cpu, uint64_t ts)
{
	put_header(t, type, len + 32);
	kft_strbuf_add(&t->bytes, body, len);
	put(t, 7, 4);
	put(t, 70 + cpu, 4);
	put(t, ts, 8);
	put(t, cpu, 4);
	put(t, 0, 4);
	put(t, T_PERF_BEAT, 8);
}

void t_perf_round(struct t_perf *t)
{
	put_header(t, 68, 0);
}

#if HAVE_ZSTD
static void put_compressed(struct t_perf *t, const void *data, size_t len, bool second)
{
	size_t padding = second ? -len & 7 : 0;

	put_header(t, second ? 83 : 81, len + padding + (second ? 8 : 0));
	if (second)
		put(t, len, 8);
	kft_strbuf_add(&t->bytes, data, len);
	kft_strbuf_fill(&t->bytes, '\0', padding);
}

void t_perf_compress(struct t_perf *t, size_t step, bool second)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf plain = {};
	ZSTD_CStream *stream = ZSTD_createCStream();
	char bytes[4096];

	assert_non_null(stream);
	kft_strbuf_add(&plain, t->bytes.buf + t->start, t->bytes.len - t->start);
	t->bytes.len = t->start;
	for (size_t at = 0; at < plain.len; at += step) {
		ZSTD_inBuffer in = {plain.buf + at, KFT_MIN(step, plain.len - at), 0};
		ZSTD_outBuffer out = {bytes, sizeof(bytes), 0};

		assert_false(ZSTD_isError(ZSTD_compressStream(stream, &out, &in)));
		assert_int_equal(ZSTD_flushStream(stream, &out), 0);
		put_compressed(t, bytes, out.pos, second);
		t_perf_round(t);
	}
	ZSTD_freeCStream(stream);
}
#endif

static void patch(struct t_perf *t, size_t at, uint64_t v)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	t_perf_put(t, &sb, v, 8);
	memcpy(t->bytes.buf + at, sb.buf, 8);
}

void t_perf_end(struct t_perf *t)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf texts = {};
	size_t end = t->bytes.len;

	if (t->pipe)
		return;
	patch(t, 48, end - t->start);
	make_texts(t, &texts);
	put(t, end + 48, 8);
	put(t, texts.len, 8);
	put(t, end + 48 + texts.len, 8);
	put(t, 12, 8);
	put(t, end + 48 + texts.len + 12, 8);
	put(t, 8, 8);
	kft_strbuf_add(&t->bytes, texts.buf, texts.len);
	put(t, 8, 4);
	kft_strbuf_add(&t->bytes, "box\0\0\0\0", 8);
	put(t, 4, 4);
	put(t, 2, 4);
}

int t_perf_open(const struct t_perf *t, size_t len, struct kft_trace **ret,
		struct kft_err *e)
{
	int fd = memfd_create("perf.data", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(kft_write_all(fd, t->bytes.buf, len), 0);
	return kft_perf_open(fd, "perf.data", ret, e);
}
