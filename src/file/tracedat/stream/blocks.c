// SPDX-License-Identifier: LGPL-2.1-or-later
/* Splits a recording's stream into its blocks. */
#include "file/tracedat/stream/blocks.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>

#include "base/err.h"
#include "base/io.h"
#include "base/spool.h"
#include "file/tracedat/read/read.h"
#include "file/tracedat/read/state.h"
#include "file/tracedat/write/meta.h"

/* Limits of a metadata block, and of lost, names and tasks each. */
#define META_BYTES_MAX	(256u << 20)
#define OTHER_BYTES_MAX (64u << 20)
/* A page of any valid size fits. */
#define BUF_BYTES KFT_TRACEDAT_MAX_PAGE_BYTES

/* Waits until the stream is readable, or the caller has to stop. */
static int wait_readable(const struct kft_stream_blocks *s)
{
	struct pollfd p[] = {
		{.fd = s->over_fd, .events = POLLIN},
		{.fd = s->out_fd},
		{.fd = s->fd, .events = POLLIN},
	};

	if (s->over_fd < 0)
		return 0;
	while (poll(p, ARRAY_SIZE(p), -1) < 0)
		if (errno != EINTR)
			return -errno;
	if (p[0].revents)
		return -ECANCELED;
	return p[1].revents ? -EPIPE : 0;
}

/* Reads exactly len bytes; -ENODATA when the stream ends before. */
static int take(struct kft_stream_blocks *s, void *buf, size_t len)
{
	uint8_t *p = buf;

	while (len) {
		ssize_t n = KFT_MIN(len, s->head_len);

		if (n) {
			memcpy(p, s->head, n);
			s->head += n;
			s->head_len -= n;
		} else {
			int r = wait_readable(s);

			if (r < 0)
				return r;
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

static int invalid(const struct kft_stream_block *b, const char *problem,
		   struct kft_err *e)
{
	return kft_err_set(e, -EBADMSG, "at byte %" PRIu64 " of the stream: %s", b->pos,
			   problem);
}

/* The last metadata must describe the same pages as the first. */
static int check_live(struct kft_stream_blocks *s, const struct kft_stream_block *b,
		      struct kft_err *e)
{
	const struct kft_dat_reader *d = s->last->reader;

	if (!kft_page_size_is_valid(d->live.page_size))
		return invalid(b, "the size of pages is impossible", e);
	if (s->page_size && s->page_size != d->live.page_size)
		return invalid(b, "the size of pages has changed", e);
	if (!s->page_size) {
		s->page_size = d->live.page_size;
		s->cpu_count = d->live.cpu_count;
		s->trace = TAKE(s->last);
	}
	return 0;
}

/* Copies the metadata to a temporary file, which is read like a live trace.dat. */
static int take_meta(struct kft_stream_blocks *s, const struct kft_stream_block *b,
		     struct kft_err *e)
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
	s->last = kft_trace_destroy(s->last);
	r = kft_tracedat_open_live(TAKE_FD(fd), s->name, &s->last, e);
	return r < 0 ? r : check_live(s, b, e);
}

static int find_cpu(struct kft_stream_blocks *s, uint32_t cpu,
		    struct kft_stream_cpu **ret, struct kft_err *e)
{
	while (s->cpus.len <= cpu)
		if (!kft_vec_push(&s->cpus, ((struct kft_stream_cpu){.fd = -1})))
			return -ENOMEM;
	struct kft_stream_cpu *spool = &s->cpus.data[cpu];
	int r = spool->fd < 0 ? kft_spool_create(&spool->fd, e) : 0;
	*ret = spool;
	return r;
}

/* Stores a page; its missing end is filled to a whole page of a file. */
static int take_page(struct kft_stream_blocks *s, const struct kft_stream_block *b,
		     struct kft_err *e)
{
	struct kft_stream_cpu *spool;

	if (b->cpu >= s->cpu_count)
		return invalid(b, "no such CPU", e);
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

static int take_text(struct kft_stream_blocks *s, const struct kft_stream_block *b,
		     struct kft_strbuf *sb, struct kft_err *e)
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

/* Skips a block of a later version, or one that is not needed. */
static int skip(struct kft_stream_blocks *s, uint64_t len)
{
	int r = 0;

	for (uint64_t n; len && r == 0; len -= n) {
		n = KFT_MIN(len, (uint64_t)BUF_BYTES);
		r = take(s, s->buf, n);
	}
	return r;
}

static int take_block(struct kft_stream_blocks *s, const struct kft_stream_block *b,
		      struct kft_err *e)
{
	int r;

	if (!s->page_size && b->kind != KFT_STREAM_META)
		return invalid(b, "the metadata is missing", e);
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

int kft_stream_blocks_init(struct kft_stream_blocks *s, int fd, const void *head,
			   size_t len, const char *name)
{
	s->fd = fd;
	s->name = name;
	s->head = head;
	s->head_len = len;
	s->over_fd = -1;
	s->out_fd = -1;
	s->buf = malloc(BUF_BYTES);
	return s->buf ? 0 : -ENOMEM;
}

void kft_stream_blocks_finish(struct kft_stream_blocks *s)
{
	kft_vec_for_each(&s->cpus, cpu)
		kft_closep(&cpu->fd);
	kft_vec_finish(&s->cpus);
	s->trace = kft_trace_destroy(s->trace);
	s->last = kft_trace_destroy(s->last);
	kft_strbuf_finish(&s->lost);
	kft_strbuf_finish(&s->names);
	kft_strbuf_finish(&s->tasks);
	free(s->buf);
}

int kft_stream_blocks_begin(struct kft_stream_blocks *s)
{
	uint8_t magic[KFT_STREAM_MAGIC_BYTES];

	return take(s, magic, sizeof(magic));
}

int kft_stream_blocks_take(struct kft_stream_blocks *s, struct kft_stream_block *ret,
			   struct kft_err *e)
{
	uint8_t header[KFT_STREAM_HEADER_BYTES];
	struct kft_cursor c = kft_cursor_init(header, sizeof(header),
					      KFT_HOST_BIG_ENDIAN);

	*ret = (struct kft_stream_block){.pos = s->pos};
	int r = take(s, header, sizeof(header));
	if (r < 0)
		return r;
	(void)!kft_cursor_u32(&c, &ret->kind);
	(void)!kft_cursor_u32(&c, &ret->cpu);
	(void)!kft_cursor_u64(&c, &ret->len);
	return take_block(s, ret, e);
}

int kft_stream_blocks_no_trace(int r, struct kft_err *e)
{
	if (e && !e->code && r == -ENODATA)
		return kft_err_set(e, r, "the stream ends in its metadata");
	return e && e->code ? r : kft_err_sys(e, r, "cannot read the stream");
}

void kft_stream_blocks_ended(const struct kft_stream_blocks *s, int r,
			     const struct kft_err *why, struct kft_trace *t)
{
	t->unfinished = !s->is_ended;
	if (why->code)
		t->damage = *why;
	else if (r == -ENODATA)
		(void)kft_err_set(&t->damage, r,
				  "'%s': the stream ends at byte %" PRIu64
				  ", before its end: events are missing",
				  s->name, s->pos);
	else if (r < 0)
		(void)kft_err_sys(&t->damage, r, "cannot read '%s'", s->name);
}
