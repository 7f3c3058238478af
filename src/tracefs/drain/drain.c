// SPDX-License-Identifier: LGPL-2.1-or-later
/* Moves one CPU's pages to the sink, in a thread of its own. */
#include "tracefs/drain/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "base/thread.h"
#include "capture/backend.h"
#include "tracefs/control/control_file.h"
#include "tracefs/control/tracefs_dir.h"

/*
 * Nice values of the threads. A thread that drains a little now and then must not disturb
 * the traced programs; one that finds its buffer half full competes like any other
 * program; one that finds it about to overflow takes precedence for the milliseconds that
 * it needs, because losing events is worse.
 */
static const int pace_nice[] = {
	[KFT_DRAIN_CALM] = 5,
	[KFT_DRAIN_BUSY] = 0,
	[KFT_DRAIN_URGENT] = KFT_BACKEND_NICE_MIN,
};

/*
 * poll(2) wakes a thread when its buffer is half full (buffer_percent); fewer events are
 * drained after a timeout. Each wait without result doubles the timeout, so that an idle
 * CPU costs one wakeup a second.
 */
#define WAIT_MIN_MS 125
#define WAIT_MAX_MS 1000

/*
 * A record that was being written when recording was switched off is complete soon after:
 * the thread tries so many times.
 */
#define REST_TRIES     50
#define REST_PERIOD_NS 1000000

static void signal_fd(int fd)
{
	uint64_t one = 1;

	(void)!write(fd, &one, sizeof(one));
}

static bool has_failed(struct kft_drain_common *c)
{
	(void)pthread_mutex_lock(&c->lock);
	bool failed = c->err.code != 0;
	(void)pthread_mutex_unlock(&c->lock);
	return failed;
}

/*
 * Keeps the first failure, and switches recording off, as events cannot be drained any
 * more.
 */
static void fail(struct kft_drain *d, const struct kft_err *e)
{
	struct kft_drain_common *c = d->common;

	(void)pthread_mutex_lock(&c->lock);
	bool first = c->err.code == 0;
	if (first)
		c->err = *e;
	(void)pthread_mutex_unlock(&c->lock);
	if (!first)
		return;
	(void)!kft_control_file_set(c->opts.instance_fd, "tracing_on", "0");
	signal_fd(c->failed_fd);
	if (c->with_failed_fd >= 0)
		signal_fd(c->with_failed_fd);
}

static int account_or_fail(struct kft_drain *d,
			   int (*step)(struct kft_account *, struct kft_sink *))
{
	int r = step(&d->account, d->common->opts.sink);

	if (r < 0) {
		struct kft_err e;

		kft_err_sys(&e, r, "cannot keep account of the losses of CPU %u",
			    d->account.cpu);
		fail(d, &e);
	}
	return r;
}

static void fail_pump(struct kft_drain *d, enum kft_pump_side side, int r)
{
	struct kft_err e;

	if (side == KFT_PUMP_FROM) {
		kft_err_sys(&e, r, "cannot read the trace of CPU %u", d->account.cpu);
	} else {
		kft_err_sys(&e, r, "cannot write the trace of CPU %u", d->account.cpu);
		if (r == -ENOSPC || r == -EDQUOT || r == -EFBIG)
			kft_err_hint(&e, "recording stopped; the events written until "
					 "then can be read");
	}
	fail(d, &e);
}

/* Returns the number of bytes moved; negative after a failure, which has been recorded. */
static ssize_t move(struct kft_drain *d,
		    ssize_t (*pump)(struct kft_pump *, enum kft_pump_side *))
{
	enum kft_pump_side side = KFT_PUMP_FROM;
	ssize_t n = pump(&d->pump, &side);

	if (n < 0)
		fail_pump(d, side, n);
	else
		atomic_fetch_add_explicit(&d->bytes, n, memory_order_relaxed);
	return n;
}

static void set_pace(struct kft_drain *d, enum kft_drain_pace pace)
{
	if (pace == d->pace)
		return;
	/* Raising the priority may be forbidden: it stays unchanged then. */
	(void)setpriority(PRIO_PROCESS, syscall(SYS_gettid), pace_nice[pace]);
	d->pace = pace;
}

/* The more bytes have piled up in the buffer, the more urgent is the drain. */
static enum kft_drain_pace pace_for(const struct kft_drain *d)
{
	uint64_t size = d->common->opts.buffer_bytes;

	return d->burst_bytes >= size / 4 * 3 ? KFT_DRAIN_URGENT
	       : d->burst_bytes >= size / 4   ? KFT_DRAIN_BUSY
					      : KFT_DRAIN_CALM;
}

static void moved(struct kft_drain *d, size_t n)
{
	d->burst_bytes += n;
	set_pace(d, KFT_MAX(d->pace, pace_for(d)));
}

/* Call when the buffer is empty: only then may the pace become calmer. */
static void caught_up(struct kft_drain *d)
{
	set_pace(d, pace_for(d));
	d->burst_bytes = 0;
}

/*
 * Waits until there may be pages; true when poll(2) reported some. blind: waits for the
 * timeout only.
 */
static bool wait_for_pages(struct kft_drain *d, int timeout_ms, bool blind)
{
	struct kft_drain_common *c = d->common;
	struct pollfd p[] = {
		{.fd = c->stop_fd, .events = POLLIN},
		{.fd = blind ? -1 : d->raw_fd, .events = POLLIN},
	};

	if (poll(p, ARRAY_SIZE(p), timeout_ms) <= 0 || !p[1].revents)
		return false;
	if (d->pace == KFT_DRAIN_CALM)
		set_pace(d, KFT_DRAIN_BUSY);
	return true;
}

/* True when the sink reads the pages itself: the drain only keeps the account. */
static bool takes_itself(const struct kft_drain *d)
{
	return d->common->opts.sink->ops->take_fd;
}

/* True when the sink, which reads in a thread of its own, has failed. */
static bool sink_failed(struct kft_drain *d)
{
	struct kft_sink *sink = d->common->opts.sink;
	struct kft_err e = {};

	if (!sink->ops->failed || sink->ops->failed(sink, &e) >= 0)
		return false;
	fail(d, &e);
	return true;
}

/* Drains until recording has ended; false after a failure. */
static bool follow(struct kft_drain *d)
{
	bool leave = d->common->opts.overwrite || takes_itself(d);
	int wait_ms = WAIT_MIN_MS;
	bool woken = false;

	while (!atomic_load_explicit(&d->common->stop, memory_order_acquire)) {
		ssize_t n = leave ? 0 : move(d, kft_pump_pages);

		if (n < 0 || sink_failed(d))
			return false;
		if (account_or_fail(d, kft_account_follow) < 0)
			return false;
		if (n > 0) {
			moved(d, n);
			wait_ms = WAIT_MIN_MS;
			woken = false;
			continue;
		}
		caught_up(d);
		/*
		 * After a wakeup without pages the next wait is blind: a CPU that was
		 * never online has no buffer, and poll(2) on it returns at once every
		 * time.
		 */
		woken = wait_for_pages(d, wait_ms, leave || woken);
		wait_ms = KFT_MIN(wait_ms * 2, WAIT_MAX_MS);
	}
	return true;
}

/*
 * True when more was drained than a buffer can hold: another program has switched
 * recording on again, and draining would never end.
 */
static bool is_endless(const struct kft_drain *d, uint64_t taken)
{
	return d->common->opts.buffer_bytes && taken > 2 * d->common->opts.buffer_bytes;
}

/*
 * Drains the remaining pages, the partial one included. False after a failure, or when
 * recording goes on.
 */
static bool take_rest(struct kft_drain *d)
{
	uint64_t taken = 0;
	ssize_t n;

	do {
		n = move(d, kft_pump_pages);
		taken += n > 0 ? n : 0;
	} while (n > 0 && !is_endless(d, taken));
	while (n >= 0 && !is_endless(d, taken) && (n = move(d, kft_pump_rest)) > 0)
		taken += n;
	return n >= 0 && account_or_fail(d, kft_account_sample) == 0 &&
	       !is_endless(d, taken);
}

/* How many events of the buffer at `then` have since been neither read nor overwritten. */
static uint64_t left_of(const struct kft_cpu_counts *then,
			const struct kft_cpu_counts *now)
{
	uint64_t gone = now->read - then->read + now->overrun - then->overrun;

	return gone < then->entries ? then->entries - gone : 0;
}

/*
 * Reads pages that the kernel still writes to, as far as they are filled; the kernel goes
 * on with such a page and returns the rest as a page of its own. It is the last page of
 * each CPU. In Linux 6.12 it is every page of a mapped buffer, such as a persistent one,
 * as these cannot be spliced at all.
 */
static void take_written(struct kft_drain *d, const struct kft_cpu_counts *then)
{
	ssize_t n;

	do {
		n = move(d, kft_pump_rest);
		if (account_or_fail(d, kft_account_sample) < 0)
			return;
	} while (n > 0 && left_of(then, &d->account.last));
}

/*
 * Drains the events that the buffer holds at the beginning, and no more: a CPU that
 * records as fast as this thread reads would supply later events without end.
 */
static void take_once(struct kft_drain *d)
{
	const struct kft_drains_opts *o = &d->common->opts;
	const struct kft_cpu_counts then = d->account.last;
	/* The buffer's size excludes the headers of pages. */
	uint64_t wanted = o->buffer_bytes ? o->buffer_bytes + o->buffer_bytes / 64 +
						    2 * o->page_size
					  : UINT64_MAX;
	uint64_t taken = 0;
	ssize_t n;

	do {
		n = move(d, kft_pump_pages);
		taken += n > 0 ? n : 0;
	} while (n > 0 && taken < wanted);
	if (n == 0)
		take_written(d, &then);
	else /* After a failure: count events that were read but not written. */
		(void)!account_or_fail(d, kft_account_sample);
}

/*
 * Drains while recording goes on: until the drains are finished, and then the events that
 * the buffer holds at that time.
 */
static void take_now(struct kft_drain *d)
{
	if (follow(d))
		take_once(d);
	else /* The sample counts events that were read but not written. */
		(void)!account_or_fail(d, kft_account_sample);
}

/*
 * Excludes this thread from function tracing: each page that it moves would cause more
 * records than the page holds.
 */
static void leave_out_self(const struct kft_drains_opts *o)
{
	char tid[16];
	int len = snprintf(tid, sizeof(tid), "%d\n", (int)syscall(SYS_gettid));

	(void)!kft_write_at(o->instance_fd, KFT_UNTRACED_FILE, O_APPEND, tid, len);
	if (o->other_fd >= 0)
		(void)!kft_write_at(o->other_fd, KFT_UNTRACED_FILE, O_APPEND, tid, len);
}

static void *drain_main(void *arg)
{
	struct kft_drain *d = arg;
	struct timespec nap = {.tv_nsec = REST_PERIOD_NS};
	char name[16]; /* the kernel's limit */

	(void)snprintf(name, sizeof(name), "kft-cpu%u", d->account.cpu);
	(void)pthread_setname_np(pthread_self(), name);
	if (d->common->opts.untraced)
		leave_out_self(&d->common->opts);
	if (d->common->opts.once) {
		take_now(d);
		return NULL;
	}
	if (!follow(d) || has_failed(d->common) || takes_itself(d)) {
		const struct kft_sink *sink = d->common->opts.sink;

		if (sink->ops->events)
			kft_account_settle(&d->account,
					   sink->ops->events(sink, d->account.cpu));
		/* The last sample is for the totals. */
		(void)!kft_account_sample(&d->account, d->common->opts.sink);
		return NULL;
	}
	for (int i = 0; i < REST_TRIES && take_rest(d) && d->account.last.entries; i++)
		(void)nanosleep(&nap, NULL);
	return NULL;
}

static int open_raw(struct kft_drain *d, uint32_t cpu, struct kft_err *e)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/trace_pipe_raw", cpu);
	d->raw_fd = openat(d->common->opts.instance_fd, path,
			   O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (d->raw_fd < 0)
		return kft_err_sys(e, -errno, "cannot open '%s' of tracefs", path);
	return 0;
}

static int connect_sink(struct kft_drain *d, uint32_t cpu, struct kft_err *e)
{
	struct kft_sink *sink = d->common->opts.sink;
	int out;

	if (sink->ops->take_fd)
		return sink->ops->take_fd(sink, cpu, d->raw_fd, e);
	int r = sink->ops->cpu_fd(sink, cpu, &out, e);
	if (r < 0)
		return r;
	r = kft_pump_open(&d->pump, d->raw_fd, out, d->common->opts.page_size);
	if (r == 0 && d->common->opts.layout)
		r = kft_account_compare(&d->account, out, d->common->opts.layout,
					d->common->opts.page_size);
	return r < 0 ? kft_err_sys(e, r, "cannot prepare to drain CPU %u", cpu) : 0;
}

int kft_drain_open(struct kft_drain *d, struct kft_drain_common *common, uint32_t cpu,
		   struct kft_err *e)
{
	*d = (struct kft_drain){
		.common = common,
		.raw_fd = -1,
		.account = {.stats_fd = -1},
		.pace = KFT_DRAIN_BUSY,
	};
	int r = open_raw(d, cpu, e);
	if (r == 0)
		r = kft_account_open(&d->account, common->opts.instance_fd, cpu, e);
	return r < 0 ? r : connect_sink(d, cpu, e);
}

void kft_drain_close(struct kft_drain *d)
{
	kft_pump_close(&d->pump);
	kft_account_finish(&d->account);
	kft_closep(&d->raw_fd);
}

int kft_drain_start(struct kft_drain *d)
{
	int r = kft_thread_start(&d->thread, KFT_THREAD_SMALL_STACK, drain_main, d);

	d->running = r == 0;
	return r;
}

void kft_drain_join(struct kft_drain *d)
{
	if (d->running)
		(void)pthread_join(d->thread, NULL);
	d->running = false;
}
