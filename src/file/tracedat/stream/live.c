// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads a recording's stream while it goes on. */
#include "file/tracedat/stream/live.h"

#include <errno.h>
#include <sys/eventfd.h>

#include "base/err.h"
#include "base/io.h"
#include "file/tracedat/read/stream.h"
#include "file/tracedat/read/version.h"
#include "file/tracedat/stream/taker.h"

struct kft_stream_live {
	struct kft_stream_taker taker;
	void (*destroy_reader)(struct kft_trace *t);
	void *head; /* owned */
	int fd; /* owned */
	int over_fd; /* owned */
};

static void end_live(struct kft_trace *t, const struct kft_stream_blocks *b,
		     const struct kft_stream_news *n)
{
	if (b->last)
		kft_stream_news_last(t, b->last);
	kft_stream_blocks_ended(b, n->result, &n->why, t);
	for (uint32_t i = 0; i < t->buffers.data[0].streams.len; i++)
		kft_stream_of_cpu(t, i)->is_growing = false;
	t->settled = UINT64_MAX;
	t->more = NULL;
}

static struct kft_stream_live *live_of(struct kft_trace *t)
{
	return ((struct kft_dat_reader *)t->reader)->growing;
}

static int live_more(struct kft_trace *t)
{
	_cleanup_(kft_stream_news_finish) struct kft_stream_news news = {};
	struct kft_stream_live *l = live_of(t);

	kft_stream_taker_wait(&l->taker, &news);
	int r = kft_stream_news_use(&news, t);
	if (r < 0 || !news.is_last)
		return r < 0 ? r : 1;
	if (news.result == -EPIPE)
		return -EPIPE;
	end_live(t, &l->taker.blocks, &news);
	return 0;
}

static void live_destroy(struct kft_stream_live *l)
{
	const uint64_t one = 1;

	(void)!write(l->over_fd, &one, sizeof(one));
	kft_stream_taker_finish(&l->taker);
	kft_closep(&l->fd);
	kft_closep(&l->over_fd);
	free(l->head);
	free(l);
}

static void live_destroyp(struct kft_stream_live **l)
{
	if (*l)
		live_destroy(*l);
}

/*
 * Replaces the reader's destroy function: streams, which read the taker's
 * files, were destroyed before.
 */
static void destroy_trace(struct kft_trace *t)
{
	struct kft_stream_live *l = live_of(t);
	void (*destroy_reader)(struct kft_trace * t) = l->destroy_reader;

	live_destroy(l);
	destroy_reader(t);
}

/* Adds a stream for each CPU, without pages. */
static int add_streams(struct kft_dat_reader *d, uint32_t cpu_count)
{
	struct kft_dat_source src = {
		.page_size = d->live.page_size, .fd = -1, .path = d->path};
	int r = kft_dat_add_live_buffer(d, &src.buffer);

	for (; src.cpu < cpu_count && r == 0; src.cpu++) {
		r = kft_dat_stream_add(d, &src);
		if (r == 0)
			kft_stream_of_cpu(d->trace, src.cpu)->is_growing = true;
	}
	return r;
}

static int create_live(int fd, const void *head, size_t len, const char *name, int out_fd,
		       struct kft_stream_live **ret)
{
	struct kft_stream_live *l = calloc(1, sizeof(*l));

	if (!l) {
		kft_closep(&fd);
		return -ENOMEM;
	}
	*ret = l;
	l->fd = fd;
	l->over_fd = eventfd(0, EFD_CLOEXEC);
	l->head = malloc(len + 1);
	if (l->over_fd < 0)
		return -errno;
	if (!l->head)
		return -ENOMEM;
	if (len)
		memcpy(l->head, head, len);
	int r = kft_stream_blocks_init(&l->taker.blocks, fd, l->head, len, name);
	l->taker.blocks.over_fd = l->over_fd;
	l->taker.blocks.out_fd = out_fd;
	return r;
}

/* Takes blocks up to the metadata, and makes the trace of it. */
static int begin_trace(struct kft_stream_blocks *b, struct kft_trace **ret,
		       struct kft_err *e)
{
	struct kft_stream_block block;
	int r = kft_stream_blocks_begin(b);

	while (r == 0 && !b->page_size)
		r = kft_stream_blocks_take(b, &block, e);
	if (r < 0)
		return r;
	*ret = TAKE(b->trace);
	return add_streams((*ret)->reader, b->cpu_count);
}

static int start_live(struct kft_stream_live *l, struct kft_trace **ret,
		      struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	int r = begin_trace(&l->taker.blocks, &t, e);

	if (r == 0)
		r = kft_stream_taker_start(&l->taker, t->reader);
	if (r < 0)
		return r;
	((struct kft_dat_reader *)t->reader)->growing = l;
	l->destroy_reader = t->destroy;
	t->destroy = destroy_trace;
	t->more = live_more;
	*ret = TAKE(t);
	return 0;
}

int kft_stream_open_live(int fd, const void *head, size_t len, const char *name,
			 int out_fd, struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_(live_destroyp) struct kft_stream_live *l = NULL;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err why = {};
	int r = create_live(fd, head, len, name, out_fd, &l);

	if (r == 0)
		r = start_live(l, &t, &why);
	if (r < 0) {
		(void)kft_stream_blocks_no_trace(r, &why);
		if (e)
			*e = why;
		return r;
	}
	/* The trace owns it now. */
	(void)TAKE(l);
	do
		r = live_more(t);
	while (r > 0 && !t->settled);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the stream");
	*ret = TAKE(t);
	return 0;
}
