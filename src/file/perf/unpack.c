// SPDX-License-Identifier: LGPL-2.1-or-later
/* Uncompresses the records of perf record -z. */
#include "file/perf/unpack.h"

#include <errno.h>
#include <string.h>
#if HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/err.h"
#include "base/io.h"
#include "base/spool.h"
#include "file/io/decompress.h"

#if HAVE_ZSTD

#define OUT_BYTES ((size_t)256 * 1024)

struct unpack {
	struct kft_perf *p;
	struct kft_dat_walk w;
	ZSTD_DStream *stream; /* owned */
	/* Owned, OUT_BYTES: begins with a record; the last one may be incomplete. */
	uint8_t *out;
	size_t len; /* bytes in out */
	int fd; /* owned */
	uint64_t written;
	uint64_t limit;
	struct kft_err *e;
};

static void finish(struct unpack *u)
{
	kft_dat_walk_finish(&u->w);
	ZSTD_freeDStream(u->stream);
	free(u->out);
	kft_closep(&u->fd);
}

static int put(struct unpack *u, const void *data, size_t len)
{
	if (len > u->limit - u->written)
		return kft_err_set(u->e, -EFBIG,
				   "its records are more than %u times as long as the "
				   "file when they are uncompressed",
				   KFT_PERF_MAX_RATIO);
	int r = kft_pwrite_all(u->fd, data, len, u->written);
	if (r < 0)
		return kft_spool_failed(r, u->e);
	u->written += len;
	return 0;
}

/* Copies len bytes from the walk's position without change. */
static int copy(struct unpack *u, uint64_t len)
{
	const uint8_t *bytes;

	while (len) {
		size_t n = KFT_MIN(len, (uint64_t)KFT_DAT_WALK_BYTES);

		n = KFT_MIN((uint64_t)n, u->p->end - u->w.pos);
		if (!n || !kft_dat_walk_bytes(&u->w, n, &bytes))
			return 0; /* truncated file: the scan of the copy reports it */
		int r = put(u, bytes, n);
		if (r < 0)
			return r;
		len -= n;
	}
	return 0;
}

/*
 * Writes whole records and keeps the rest of the last one for more data. After a
 * malformed length everything is written: the scan of the copy reports the error.
 */
static int put_records(struct unpack *u)
{
	size_t whole = 0;

	while (u->len - whole >= KFT_PERF_RECORD_HEADER_BYTES) {
		uint16_t size = kft_load_u16(u->out + whole + 6, u->p->in.swap);

		if (size < KFT_PERF_RECORD_HEADER_BYTES)
			whole = u->len;
		else if (size > u->len - whole)
			break;
		else
			whole += size;
	}
	int r = put(u, u->out, whole);
	u->len -= whole;
	memmove(u->out, u->out + whole, u->len);
	return r;
}

/* Uncompresses len bytes. 0, -errno, or 1: the zstd stream is corrupt. */
static int inflate(struct unpack *u, const uint8_t *data, size_t len)
{
	ZSTD_inBuffer in = {data, len, 0};
	bool full;

	do {
		ZSTD_outBuffer out = {u->out, OUT_BYTES, u->len};
		size_t more = ZSTD_decompressStream(u->stream, &out, &in);

		if (ZSTD_isError(more))
			return 1;
		u->len = out.pos;
		full = out.pos == out.size;
		int r = put_records(u);
		if (r < 0)
			return r;
	} while (in.pos < in.size || full);
	return 0;
}

/*
 * COMPRESSED: data up to the record's end; COMPRESSED2: u64 size, as
 * many bytes of data, padding.
 */
static int unpack_record(struct unpack *u, uint32_t type, const uint8_t *rec, size_t size)
{
	struct kft_cursor c = kft_cursor_init(rec, size, u->p->in.swap);
	uint64_t len = size - KFT_PERF_RECORD_HEADER_BYTES;

	if (!kft_cursor_skip(&c, KFT_PERF_RECORD_HEADER_BYTES) ||
	    (type == KFT_PERF_RECORD_COMPRESSED2 &&
	     (!kft_cursor_u64(&c, &len) || len > kft_cursor_left(&c))))
		return 1;
	return inflate(u, rec + c.pos, len);
}

/* 1 when there may be more, 0 at the end, -errno. */
static int unpack_next(struct unpack *u)
{
	uint64_t pos = u->w.pos;
	const uint8_t *rec;

	if (pos >= u->p->end ||
	    !kft_dat_walk_bytes(&u->w, KFT_PERF_RECORD_HEADER_BYTES, &rec))
		return 0;
	uint32_t type = kft_load_u32(rec, u->p->in.swap);
	uint16_t size = kft_load_u16(rec + 6, u->p->in.swap);
	u->w.pos = pos;
	if (type != KFT_PERF_RECORD_COMPRESSED && type != KFT_PERF_RECORD_COMPRESSED2) {
		uint64_t len = KFT_MAX(size, (uint16_t)KFT_PERF_RECORD_HEADER_BYTES);

		if (!kft_dat_walk_bytes(&u->w, KFT_MIN(len, u->p->end - pos), &rec))
			return copy(u, len);
		if (kft_add(len, kft_perf_trailing(type, rec, len, u->p->in.swap), &len))
			len = UINT64_MAX;
		u->w.pos = pos;
		int r = copy(u, len);
		return r < 0 ? r : 1;
	}
	if (size < KFT_PERF_RECORD_HEADER_BYTES || size > u->p->end - pos ||
	    !kft_dat_walk_bytes(&u->w, size, &rec)) {
		if (!u->p->trace->unfinished)
			(void)kft_perf_damage(u->p, -ENODATA, pos,
					      "the file ends in compressed records");
		return 0;
	}
	int r = unpack_record(u, type, rec, size);
	if (r == 1) {
		(void)kft_perf_damage(u->p, -EBADMSG, pos,
				      "compressed records are broken");
		return 0;
	}
	return r < 0 ? r : 1;
}

static int start(struct unpack *u, uint64_t at)
{
	struct kft_perf *p = u->p;
	uint64_t file = p->in.size;

	if (kft_mul(file, (uint64_t)KFT_PERF_MAX_RATIO, &u->limit))
		u->limit = UINT64_MAX;
	u->limit = KFT_MAX(u->limit, (uint64_t)KFT_PERF_MIN_UNPACKED);
	u->stream = ZSTD_createDStream();
	u->out = malloc(OUT_BYTES);
	if (!u->stream || !u->out || kft_dat_walk_init(&u->w, &p->data, p->start) < 0)
		return kft_err_sys(u->e, -ENOMEM, "cannot uncompress it");
	int r = kft_spool_create(&u->fd, u->e);
	return r < 0 ? r : copy(u, at);
}

int kft_perf_unpack(struct kft_perf *p, uint64_t at, struct kft_err *e)
{
	_cleanup_(finish) struct unpack u = {.p = p, .fd = -1, .e = e};
	int r = start(&u, at);

	if (r < 0)
		return r;
	while ((r = unpack_next(&u)) > 0)
		;
	if (r < 0)
		return r;
	if (u.len && !p->trace->unfinished)
		(void)kft_perf_damage(p, -ENODATA, u.w.pos,
				      "the compressed records end in one");
	p->spool_fd = TAKE_FD(u.fd);
	p->data.fd = p->spool_fd;
	p->data.size = u.written;
	p->start = 0;
	p->end = u.written;
	return 0;
}

#else

int kft_perf_unpack(struct kft_perf *p, uint64_t at, struct kft_err *e)
{
	enum kft_dat_codec codec;

	return kft_dat_codec_find("zstd", &codec, e);
}

#endif
