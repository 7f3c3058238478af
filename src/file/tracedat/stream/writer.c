// SPDX-License-Identifier: LGPL-2.1-or-later
/* The thread that writes a recording as a stream. */
#include "file/tracedat/stream/writer.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "base/thread.h"

/* Interval of passes over all CPUs, and so the maximum age of an unwritten event. */
#define PASS_MS 50
/* Blocks are collected and written when they have this many bytes. */
#define WRITE_BYTES ((size_t)256 << 10)
/*
 * Limit per CPU and pass, so that a CPU that writes as fast as it is read
 * does not starve the others.
 */
#define PASS_PAGES 65536

/*
 * A record that was being written when recording was switched off becomes visible a
 * little later, so a few more passes are made; their number is limited in case
 * recording is switched on again.
 */
#define REST_EMPTY_PASSES 3
#define REST_PASSES	  1000
#define REST_NAP_NS	  1000000

/* Keeps the first failure. */
static int fail(struct kft_stream_writer *w, int r)
{
	(void)pthread_mutex_lock(&w->lock);
	if (w->err.code)
		r = w->err.code;
	else if (r == -EPIPE)
		(void)kft_err_set(&w->err, r, "the reader of the stream is gone");
	else if (r == -ETIMEDOUT)
		(void)kft_err_set(&w->err, r, "the stream's reader has stopped reading");
	else
		(void)kft_err_sys(&w->err, r, "cannot write the stream");
	(void)pthread_mutex_unlock(&w->lock);
	return r;
}

static int flush(struct kft_stream_writer *w)
{
	int r = kft_strbuf_ok(&w->out)
			? kft_stream_out_write(&w->to, w->out.buf, w->out.len)
			: -ENOMEM;

	kft_strbuf_clear(&w->out);
	return r;
}

/* Reads pages of one CPU until it is empty: their number, or -errno. */
static int take_cpu(struct kft_stream_writer *w, uint32_t cpu, int raw_fd)
{
	int pages = 0;
	int n = 1;

	while (n > 0 && pages < PASS_PAGES) {
		n = kft_stream_pages_take(&w->pages, cpu, raw_fd, WRITE_BYTES, &w->out);
		pages += n > 0 ? n : 0;
		int r = w->out.len >= WRITE_BYTES ? flush(w) : 0;
		if (n < 0 || r < 0)
			return n < 0 ? n : r;
	}
	return pages;
}

static int raw_fd_of(struct kft_stream_writer *w, uint32_t cpu)
{
	(void)pthread_mutex_lock(&w->lock);
	int fd = w->raw_fds[cpu];
	(void)pthread_mutex_unlock(&w->lock);
	return fd;
}

static void add_waiting(struct kft_stream_writer *w)
{
	(void)pthread_mutex_lock(&w->lock);
	if (w->waiting.len)
		kft_strbuf_add(&w->out, w->waiting.buf, w->waiting.len);
	kft_strbuf_clear(&w->waiting);
	(void)pthread_mutex_unlock(&w->lock);
}

/*
 * Events of a pass are in order with all others once the next pass is complete; their
 * tasks' names are known when two searches for names have ended in between, as the second
 * one began after the first one ended.
 */
static void add_pass(struct kft_stream_writer *w)
{
	(void)pthread_mutex_lock(&w->lock);
	bool are_names_known = !w->has_looks || w->looks >= 2;
	if (are_names_known)
		w->looks = 0;
	(void)pthread_mutex_unlock(&w->lock);
	if (are_names_known)
		kft_stream_add_block(&w->out, KFT_STREAM_PASS, 0, NULL, 0);
}

/* Reads all pages that the CPUs have now: their number, or -errno. */
static int pass(struct kft_stream_writer *w)
{
	bool all = true;
	int pages = 0;

	for (uint32_t i = 0; i < w->pages.cpu_count; i++) {
		int raw_fd = raw_fd_of(w, i);
		int n = raw_fd < 0 ? 0 : take_cpu(w, i, raw_fd);

		if (n < 0)
			return n;
		all &= n < PASS_PAGES;
		pages += n;
	}
	add_waiting(w);
	if (all)
		add_pass(w);
	int r = flush(w);
	return r < 0 ? r : pages;
}

static int take_rest(struct kft_stream_writer *w)
{
	const struct timespec nap = {.tv_nsec = REST_NAP_NS};
	int empty = 0;

	for (int i = 0; i < REST_PASSES && empty < REST_EMPTY_PASSES; i++) {
		int n = pass(w);

		if (n < 0)
			return n;
		empty = n ? 0 : empty + 1;
		(void)nanosleep(&nap, NULL);
	}
	return 0;
}

static void *stream_main(void *arg)
{
	struct kft_stream_writer *w = arg;
	int r = flush(w);

	(void)pthread_setname_np(pthread_self(), "kft-stream");
	while (r >= 0 && !atomic_load(&w->is_over)) {
		r = pass(w);
		if (r >= 0)
			r = kft_stream_out_wait(&w->to, PASS_MS);
	}
	if (r >= 0)
		r = take_rest(w);
	if (r < 0)
		(void)fail(w, r);
	return NULL;
}

static int prepare(struct kft_stream_writer *w, const struct kft_meta *meta)
{
	int r = kft_stream_pages_init(&w->pages, meta);

	if (r < 0)
		return r;
	w->raw_fds = calloc(meta->cpu_count, sizeof(*w->raw_fds));
	if (!w->raw_fds)
		return -ENOMEM;
	for (uint32_t i = 0; i < meta->cpu_count; i++)
		w->raw_fds[i] = -1;
	return 0;
}

int kft_stream_writer_start(struct kft_stream_writer *w, const struct kft_meta *meta)
{
	int r = prepare(w, meta);

	if (r < 0)
		return r;
	r = kft_thread_start(&w->thread, KFT_THREAD_SMALL_STACK, stream_main, w);
	w->running = r == 0;
	return r;
}

int kft_stream_writer_init(struct kft_stream_writer *w, int out_fd)
{
	int over_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	*w = (struct kft_stream_writer){.to = {.fd = out_fd, .over_fd = over_fd}};
	(void)pthread_mutex_init(&w->lock, NULL);
	return over_fd < 0 ? -errno : 0;
}

void kft_stream_writer_finish(struct kft_stream_writer *w)
{
	kft_stream_writer_stop(w);
	kft_closep(&w->to.over_fd);
	kft_strbuf_finish(&w->out);
	kft_strbuf_finish(&w->waiting);
	(void)pthread_mutex_destroy(&w->lock);
	free(w->raw_fds);
	kft_stream_pages_finish(&w->pages);
}

void kft_stream_writer_take(struct kft_stream_writer *w, uint32_t cpu, int raw_fd)
{
	(void)pthread_mutex_lock(&w->lock);
	w->raw_fds[cpu] = raw_fd;
	(void)pthread_mutex_unlock(&w->lock);
}

int kft_stream_writer_hand_on(struct kft_stream_writer *w, enum kft_stream_kind kind,
			      const void *data, size_t len)
{
	(void)pthread_mutex_lock(&w->lock);
	kft_stream_add_block(&w->waiting, kind, 0, data, len);
	bool ok = kft_strbuf_ok(&w->waiting);
	(void)pthread_mutex_unlock(&w->lock);
	return ok ? 0 : -ENOMEM;
}

void kft_stream_writer_looked(struct kft_stream_writer *w)
{
	(void)pthread_mutex_lock(&w->lock);
	w->has_looks = true;
	w->looks++;
	(void)pthread_mutex_unlock(&w->lock);
}

void kft_stream_writer_stop(struct kft_stream_writer *w)
{
	const uint64_t one = 1;

	if (!w->running)
		return;
	atomic_store(&w->is_over, true);
	(void)!write(w->to.over_fd, &one, sizeof(one));
	(void)pthread_join(w->thread, NULL);
	w->running = false;
}

int kft_stream_writer_flush(struct kft_stream_writer *w)
{
	add_waiting(w);
	int r = w->err.code ? w->err.code : flush(w);

	return r < 0 ? fail(w, r) : 0;
}

int kft_stream_writer_failed(struct kft_stream_writer *w, struct kft_err *e)
{
	(void)pthread_mutex_lock(&w->lock);
	int r = w->err.code;
	if (r < 0 && e)
		*e = w->err;
	(void)pthread_mutex_unlock(&w->lock);
	return r;
}
