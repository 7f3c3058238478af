// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads a recording that comes as a stream. */
#include "file/tracedat/stream_read.h"

#include <errno.h>
#include <inttypes.h>

#include "base/err.h"
#include "base/io.h"
#include "base/spool.h"
#include "file/tracedat/read.h"
#include "file/tracedat/read_lost.h"
#include "file/tracedat/read_stream.h"
#include "file/tracedat/read_version.h"
#include "file/tracedat/stream.h"
#include "file/tracedat/write_meta.h"

/* What metadata, and what lost, names and tasks may have each. */
#define META_BYTES_MAX	(256u << 20)
#define OTHER_BYTES_MAX (64u << 20)
/* Any page fits. */
#define BUF_BYTES KFT_TRACEDAT_MAX_PAGE_BYTES

/* The pages of one CPU so far. */
struct spool {
	int fd; /* owned; -1: none yet */
	uint64_t bytes;
};

struct stream {
	int fd; /* borrowed */
	const char *name;
	const uint8_t *head; /* what was read of it before; borrowed */
	size_t head_len;
	uint64_t pos;
	uint8_t *buf; /* owned, BUF_BYTES */
	struct kft_trace *trace; /* owned; of the metadata that came last */
	uint32_t page_size; /* 0: not known yet */
	KFT_VEC(struct spool) cpus;
	struct kft_strbuf lost;
	struct kft_strbuf names;
	struct kft_strbuf tasks; /* the newest */
	bool is_ended;
};

struct block {
	uint32_t kind;
	uint32_t cpu;
	uint64_t len;
	uint64_t pos; /* of its header */
};

static void finish(struct stream *s)
{
	kft_vec_for_each(&s->cpus, cpu)
		kft_closep(&cpu->fd);
	kft_vec_finish(&s->cpus);
	s->trace = kft_trace_destroy(s->trace);
	kft_strbuf_finish(&s->lost);
	kft_strbuf_finish(&s->names);
	kft_strbuf_finish(&s->tasks);
	free(s->buf);
}

bool kft_stream_match(const void *head, size_t len)
{
	return len >= KFT_STREAM_MAGIC_BYTES &&
	       memcmp(head, KFT_STREAM_MAGIC, KFT_STREAM_MAGIC_BYTES) == 0;
}

/* All of it; -ENODATA when the stream ends before. */
static int take(struct stream *s, void *buf, size_t len)
{
	uint8_t *p = buf;

	while (len) {
		ssize_t n = KFT_MIN(len, s->head_len);

		if (n) {
			memcpy(p, s->head, n);
			s->head += n;
			s->head_len -= n;
		} else {
			n = read(s->fd, p, len);
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -ENODATA;
		s->pos += n;
		p += n;
		len -= n;
	}
	return 0;
}

static int invalid(const struct block *b, const char *problem, struct kft_err *e)
{
	return kft_err_set(e, -EBADMSG, "at byte %" PRIu64 " of the stream: %s", b->pos,
			   problem);
}

/* The last metadata is of the same pages as the first. */
static int check_live(struct stream *s, const struct block *b, struct kft_err *e)
{
	const struct kft_dat_reader *d = s->trace->reader;

	if (s->page_size && s->page_size != d->live.page_size)
		return invalid(b, "the size of pages has changed", e);
	s->page_size = d->live.page_size;
	return kft_page_size_is_valid(s->page_size)
		       ? 0
		       : invalid(b, "the size of pages is impossible", e);
}

/* Into a file of its own, which is read as any live trace.dat is. */
static int take_meta(struct stream *s, const struct block *b, struct kft_err *e)
{
	_cleanup_close_ int fd = -1;
	int r = b->len > META_BYTES_MAX ? invalid(b, "the metadata is too long", e)
					: kft_spool_create(&fd, e);

	for (uint64_t left = b->len; left && r == 0;) {
		size_t n = KFT_MIN(left, (uint64_t)BUF_BYTES);

		r = take(s, s->buf, n);
		if (r < 0)
			return r;
		r = kft_write_all(fd, s->buf, n);
		if (r < 0)
			return kft_spool_failed(r, e);
		left -= n;
	}
	if (r < 0)
		return r;
	s->trace = kft_trace_destroy(s->trace);
	r = kft_tracedat_open_live(TAKE_FD(fd), s->name, &s->trace, e);
	return r < 0 ? r : check_live(s, b, e);
}

static int find_cpu(struct stream *s, uint32_t cpu, struct spool **ret, struct kft_err *e)
{
	while (s->cpus.len <= cpu)
		if (!kft_vec_push(&s->cpus, ((struct spool){.fd = -1})))
			return -ENOMEM;
	struct spool *spool = &s->cpus.data[cpu];
	int r = spool->fd < 0 ? kft_spool_create(&spool->fd, e) : 0;
	*ret = spool;
	return r;
}

/* As far as it was written; as a page of a file it is whole. */
static int take_page(struct stream *s, const struct block *b, struct kft_err *e)
{
	struct spool *spool;
	const struct kft_dat_reader *d = s->trace->reader;

	if (b->cpu >= d->live.cpu_count)
		return invalid(b, "there is no such CPU", e);
	if (b->len > s->page_size)
		return invalid(b, "the page is too long", e);
	int r = find_cpu(s, b->cpu, &spool, e);
	if (r == 0)
		r = take(s, s->buf, b->len);
	if (r < 0)
		return r;
	memset(s->buf + b->len, 0, s->page_size - b->len);
	r = kft_write_all(spool->fd, s->buf, s->page_size);
	if (r < 0)
		return kft_spool_failed(r, e);
	spool->bytes += s->page_size;
	return 0;
}

static int take_text(struct stream *s, const struct block *b, struct kft_strbuf *sb,
		     struct kft_err *e)
{
	if (b->len > OTHER_BYTES_MAX - KFT_MIN(sb->len, (size_t)OTHER_BYTES_MAX))
		return invalid(b, "it is too long", e);
	if (!kft_strbuf_reserve(sb, b->len))
		return -ENOMEM;
	int r = take(s, sb->buf + sb->len, b->len);
	if (r == 0)
		sb->len += b->len;
	return r;
}

/* Of a later kft, or nothing that is of use here. */
static int skip(struct stream *s, uint64_t len)
{
	int r = 0;

	for (uint64_t n; len && r == 0; len -= n) {
		n = KFT_MIN(len, (uint64_t)BUF_BYTES);
		r = take(s, s->buf, n);
	}
	return r;
}

static int take_block(struct stream *s, const struct block *b, struct kft_err *e)
{
	int r;

	if (!s->trace && b->kind != KFT_STREAM_META)
		return invalid(b, "there is no metadata", e);
	switch (b->kind) {
	case KFT_STREAM_META:
	case KFT_STREAM_END:
		r = take_meta(s, b, e);
		s->is_ended = r == 0 && b->kind == KFT_STREAM_END;
		return r;
	case KFT_STREAM_PAGE:
		return take_page(s, b, e);
	case KFT_STREAM_LOST:
		return take_text(s, b, &s->lost, e);
	case KFT_STREAM_NAMES:
		return take_text(s, b, &s->names, e);
	case KFT_STREAM_TASKS:
		kft_strbuf_clear(&s->tasks);
		return take_text(s, b, &s->tasks, e);
	default:
		return skip(s, b->len);
	}
}

/* Up to the end; -ENODATA when the stream ends anywhere before. */
static int take_blocks(struct stream *s, struct kft_err *e)
{
	int r = 0;

	while (r == 0 && !s->is_ended) {
		uint8_t header[KFT_STREAM_HEADER_BYTES];
		struct kft_cursor c = kft_cursor_init(header, sizeof(header), false);
		struct block b = {.pos = s->pos};

		r = take(s, header, sizeof(header));
		if (r < 0)
			break;
		(void)!kft_cursor_u32(&c, &b.kind);
		(void)!kft_cursor_u32(&c, &b.cpu);
		(void)!kft_cursor_u64(&c, &b.len);
		r = take_block(s, &b, e);
	}
	return r;
}

/* What END would have had. */
static int use_parts(struct stream *s)
{
	struct kft_meta *m = &s->trace->meta;
	struct kft_cursor lost = kft_cursor_init(s->lost.buf, s->lost.len, false);
	int r = kft_dat_read_lost(m, &lost);

	if (r == 0 && s->tasks.len)
		r = kft_dat_use_tasks(m, &s->tasks);
	if (r == 0 && s->names.len)
		r = kft_meta_set_blob(m, &m->names, s->names.buf, s->names.len);
	return r;
}

static int add_streams(struct stream *s)
{
	struct kft_dat_reader *d = s->trace->reader;
	uint16_t buffer;
	int r = kft_dat_add_live_buffer(d, &buffer);

	for (uint32_t cpu = 0; cpu < s->cpus.len && r == 0; cpu++) {
		struct spool *spool = &s->cpus.data[cpu];
		const struct kft_dat_source src = {
			.cpu = cpu,
			.buffer = buffer,
			.page_size = d->live.page_size,
			.end = spool->bytes,
			.fd = spool->fd,
			.size = spool->bytes,
			.path = d->path,
		};

		if (spool->fd < 0)
			continue;
		spool->fd = -1;
		r = kft_dat_stream_add(d, &src);
	}
	return r;
}

static int read_stream(struct stream *s, struct kft_err *e)
{
	struct kft_err why = {};
	uint8_t magic[KFT_STREAM_MAGIC_BYTES];
	int r = take(s, magic, sizeof(magic));

	if (r == 0)
		r = take_blocks(s, &why);
	if (r == -ENOMEM || !s->trace) {
		if (r == -ENODATA && !why.code)
			(void)kft_err_set(&why, r, "the stream ends in its metadata");
		else if (!why.code)
			(void)kft_err_sys(&why, r, "cannot read the stream");
		if (e)
			*e = why;
		return r;
	}
	/* What came is a trace. */
	s->trace->unfinished = !s->is_ended;
	if (r == -ENODATA && !why.code)
		(void)kft_err_set(&s->trace->damage, r,
				  "'%s': the stream ends at byte %" PRIu64
				  ", before its end: events are missing",
				  s->name, s->pos);
	else if (r < 0 && !why.code)
		(void)kft_err_sys(&s->trace->damage, r, "cannot read '%s'", s->name);
	else if (r < 0)
		s->trace->damage = why;
	r = s->is_ended ? 0 : use_parts(s);
	if (r == 0)
		r = add_streams(s);
	return r < 0 ? kft_err_sys(e, r, "cannot read the stream") : 0;
}

int kft_stream_open(int fd, const void *head, size_t len, const char *name,
		    struct kft_trace **ret, struct kft_err *e)
{
	struct stream s = {
		.fd = fd,
		.name = name,
		.head = head,
		.head_len = len,
		.buf = malloc(BUF_BYTES),
	};
	int r = s.buf ? read_stream(&s, e) : kft_err_sys(e, -ENOMEM, "cannot read it");

	if (r == 0)
		*ret = TAKE(s.trace);
	finish(&s);
	return r;
}
