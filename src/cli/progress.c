// SPDX-License-Identifier: GPL-2.0-only
/* Shows the progress of reading a trace, from a separate thread. */
#include "cli/progress.h"

bool cli_quiet;

#if HAVE_VIEWERS

#include <pthread.h>
#include <unistd.h>

#include "base/io.h"
#include "base/now.h"
#include "base/thread.h"
#include "base/units.h"

#define FIRST_NS UINT64_C(1000000000)
#define NEXT_NS	 UINT64_C(200000000)

static struct {
	const struct kft_trace *trace; /* borrowed; NULL: no progress is shown */
	uint64_t began_ns;
	pthread_t thread;
	pthread_mutex_t lock; /* protects is_over */
	pthread_cond_t over;
	bool is_over;
	bool line_is_there; /* used by the thread, until it has ended */
} shown = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t events_read(const struct kft_trace *t)
{
	uint64_t n = 0;

	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			n += atomic_load_explicit(&(*s)->n_read, memory_order_relaxed);
	return n;
}

static void write_stderr(struct kft_strbuf *sb)
{
	if (kft_strbuf_ok(sb))
		(void)!kft_write_all(STDERR_FILENO, sb->buf, sb->len);
}

static void show(void)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addf(&sb, "\r\033[K%.1f s  ",
			(double)(kft_now_ns() - shown.began_ns) / 1e9);
	kft_strbuf_add_count(&sb, events_read(shown.trace));
	kft_strbuf_adds(&sb, " events read");
	write_stderr(&sb);
	shown.line_is_there = true;
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

static void *show_now_and_then(void *arg)
{
	uint64_t next = shown.began_ns + FIRST_NS;

	(void)pthread_mutex_lock(&shown.lock);
	while (!shown.is_over) {
		struct timespec until = timespec_of(next);

		(void)pthread_cond_timedwait(&shown.over, &shown.lock, &until);
		if (shown.is_over || kft_now_ns() < next)
			continue;
		show();
		next += NEXT_NS;
	}
	(void)pthread_mutex_unlock(&shown.lock);
	return NULL;
}

static int prepare_cond(void)
{
	pthread_condattr_t attr;
	int r = pthread_condattr_init(&attr);

	if (r)
		return r;
	r = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (!r)
		r = pthread_cond_init(&shown.over, &attr);
	(void)pthread_condattr_destroy(&attr);
	return r;
}

void cli_progress_begin(struct cli_progress *p, const struct kft_trace *t)
{
	if (cli_quiet || shown.trace || !isatty(STDERR_FILENO) || prepare_cond())
		return;
	shown.began_ns = kft_now_ns();
	shown.is_over = false;
	shown.trace = t;
	if (kft_thread_start(&shown.thread, 0, show_now_and_then, NULL) < 0) {
		shown.trace = NULL;
		(void)pthread_cond_destroy(&shown.over);
		return;
	}
	p->trace = t;
}

void cli_progress_give_way(void)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (!shown.trace)
		return;
	(void)pthread_mutex_lock(&shown.lock);
	shown.is_over = true;
	(void)pthread_cond_signal(&shown.over);
	(void)pthread_mutex_unlock(&shown.lock);
	(void)pthread_join(shown.thread, NULL);
	(void)pthread_cond_destroy(&shown.over);
	shown.trace = NULL;
	if (!shown.line_is_there)
		return;
	shown.line_is_there = false;
	kft_strbuf_adds(&sb, "\r\033[K");
	write_stderr(&sb);
}

void cli_progress_end(struct cli_progress *p)
{
	if (p->trace)
		cli_progress_give_way();
}
#endif
