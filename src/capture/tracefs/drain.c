// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/tracefs/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "capture/backend.h"
#include "capture/tracefs/cpus.h"
#include "capture/tracefs/ctl.h"
#include "capture/tracefs/pump.h"
#include "model/event.h"

#define DRAIN_STACK_BYTES (256U << 10)

/*
 * A thread that fetches a little now and then does not disturb what is traced; one that
 * finds its buffer half full competes as any other program; one that came so late that
 * the buffer was about to overflow goes before the rest for the milliseconds that it
 * needs: losing events is worse.
 */
enum drain_pace {
	PACE_CALM,
	PACE_BUSY,
	PACE_URGENT,
};

static const int pace_nice[] = {
	[PACE_CALM] = 5,
	[PACE_BUSY] = 0,
	[PACE_URGENT] = KFT_BACKEND_NICE_MIN,
};

/*
 * poll(2) wakes a thread when its buffer is half full (buffer_percent); what comes slower
 * than that is fetched by the clock. Each look that finds nothing doubles the time to the
 * next, so that an idle CPU costs one look a second.
 */
#define WAIT_MIN_MS 125
#define WAIT_MAX_MS 1000

#define SAMPLE_PERIOD_NS 200000000U
#define STATS_MAX_BYTES	 4096
/* Later losses of a CPU are added to its last range: 5 a second fill it in 3 hours. */
#define RANGES_MAX 65536
/* A record that was being written when recording was switched off is there very soon. */
#define REST_TRIES     50
#define REST_PERIOD_NS 1000000

struct drain {
	struct kft_drains *all; /* borrowed: the group this is one of */
	uint32_t cpu;
	int raw_fd; /* owned */
	int stats_fd; /* owned */
	struct kft_pump pump;
	pthread_t thread;
	bool running;
	/* The thread's own until it has ended. */
	struct kft_loss_watch watch;
	struct kft_cpu_counts last;
	struct kft_strbuf stats_text;
	uint64_t sampled_ns;
	enum drain_pace pace;
	uint64_t burst_bytes; /* moved since it was last found empty */
	KFT_VEC(struct kft_lost_range) ranges;
	/* Counters that the session's thread looks at meanwhile; nothing hangs on their order. */
	_Atomic uint64_t events;
	_Atomic uint64_t bytes;
	_Atomic uint64_t lost;
};

struct kft_drains {
	struct kft_drains_opts opts;
	struct drain *drains; /* owned, one for each CPU */
	size_t n;
	int stop_fd; /* owned, eventfd: readable for good once stop is set */
	int failed_fd; /* owned, eventfd */
	atomic_bool stop; /* the kernel records no more: take what is left */
	pthread_mutex_t lock; /* guards err, whose code is 0 while nothing failed */
	struct kft_err err;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

static void signal_fd(int fd)
{
	uint64_t one = 1;

	(void)!write(fd, &one, sizeof(one));
}

static bool has_failed(struct kft_drains *all)
{
	(void)pthread_mutex_lock(&all->lock);
	bool failed = all->err.code != 0;
	(void)pthread_mutex_unlock(&all->lock);
	return failed;
}

/* The first failure counts. Events that nobody can take any more need not be recorded. */
static void fail(struct drain *d, const struct kft_err *e)
{
	struct kft_drains *all = d->all;

	(void)pthread_mutex_lock(&all->lock);
	bool first = all->err.code == 0;
	if (first)
		all->err = *e;
	(void)pthread_mutex_unlock(&all->lock);
	if (!first)
		return;
	(void)!kft_ctl_set(all->opts.instance_fd, "tracing_on", "0");
	signal_fd(all->failed_fd);
}

static int read_counts(struct drain *d, struct kft_cpu_counts *ret)
{
	struct kft_strbuf *sb = &d->stats_text;

	if (!kft_strbuf_reserve(sb, STATS_MAX_BYTES))
		return -ENOMEM;
	ssize_t n = pread(d->stats_fd, sb->buf, STATS_MAX_BYTES, 0);
	if (n < 0)
		return -errno;
	sb->len = n;
	return kft_cpu_counts_parse(kft_strbuf_cstr(sb), ret);
}

static int tell_loss(struct drain *d, const struct kft_lost_range *range)
{
	struct kft_sink *sink = d->all->opts.sink;

	if (d->ranges.len < RANGES_MAX) {
		if (!kft_vec_push(&d->ranges, *range))
			return -ENOMEM;
	} else {
		struct kft_lost_range *last = &d->ranges.data[d->ranges.len - 1];

		last->until = range->until;
		if (kft_add(last->count, range->count, &last->count))
			last->count = KFT_LOST_UNKNOWN;
	}
	/* Only a killed recorder's trace needs it: at the end meta has it all again. */
	(void)!sink->ops->lost(sink, range);
	return 0;
}

/* Reads the counters, tells the sink of losses, and the session how far it is. */
static int sample(struct drain *d)
{
	struct kft_cpu_counts now;
	int r = read_counts(d, &now);

	if (r < 0)
		return r;
	if (kft_loss_watch_grew(&d->watch, &now)) {
		struct kft_cpu_counts later;

		r = read_counts(d, &later);
		if (r < 0)
			return r;
		struct kft_lost_range range = kft_loss_watch_take(&d->watch, d->cpu, &now,
								  &later);
		r = tell_loss(d, &range);
		if (r < 0)
			return r;
	} else {
		kft_loss_watch_advance(&d->watch, &now);
	}
	d->last = now;
	d->sampled_ns = now_ns();
	atomic_store_explicit(&d->events, now.read + now.entries, memory_order_relaxed);
	atomic_store_explicit(&d->lost, kft_cpu_counts_lost(&now), memory_order_relaxed);
	return 0;
}

static int sample_or_fail(struct drain *d)
{
	int r = sample(d);

	if (r < 0) {
		struct kft_err e;

		kft_err_sys(&e, r, "cannot keep account of what CPU %u lost", d->cpu);
		fail(d, &e);
	}
	return r;
}

static void fail_pump(struct drain *d, enum kft_pump_side side, int r)
{
	struct kft_err e;

	if (side == KFT_PUMP_FROM) {
		kft_err_sys(&e, r, "cannot read the trace of CPU %u", d->cpu);
	} else {
		kft_err_sys(&e, r, "cannot write the trace of CPU %u", d->cpu);
		if (r == -ENOSPC || r == -EDQUOT)
			kft_err_hint(&e, "recording stopped; what was written until then "
					 "can be read");
	}
	fail(d, &e);
}

/* How many bytes were moved; negative when it failed, which is told by then. */
static ssize_t move(struct drain *d,
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

static void set_pace(struct drain *d, enum drain_pace pace)
{
	if (pace == d->pace)
		return;
	/* Going up may be forbidden: then it stays as it is. */
	(void)setpriority(PRIO_PROCESS, syscall(SYS_gettid), pace_nice[pace]);
	d->pace = pace;
}

/* What has piled up says how much of a hurry there is. */
static enum drain_pace pace_for(const struct drain *d)
{
	uint64_t size = d->all->opts.buffer_bytes;

	return d->burst_bytes >= size / 4 * 3 ? PACE_URGENT
	       : d->burst_bytes >= size / 4   ? PACE_BUSY
					      : PACE_CALM;
}

static void moved(struct drain *d, size_t n)
{
	d->burst_bytes += n;
	set_pace(d, KFT_MAX(d->pace, pace_for(d)));
}

/* The buffer is empty: only now it can be calmer than before. */
static void caught_up(struct drain *d)
{
	set_pace(d, pace_for(d));
	d->burst_bytes = 0;
}

/*
 * Waits until there may be pages; true when the kernel said so. `blind` goes by the clock
 * only.
 */
static bool wait_for_pages(struct drain *d, int timeout_ms, bool blind)
{
	struct kft_drains *all = d->all;
	struct pollfd p[] = {
		{.fd = all->stop_fd, .events = POLLIN},
		{.fd = blind ? -1 : d->raw_fd, .events = POLLIN},
	};

	if (poll(p, ARRAY_SIZE(p), timeout_ms) <= 0 || !p[1].revents)
		return false;
	if (d->pace == PACE_CALM)
		set_pace(d, PACE_BUSY);
	return true;
}

/* Until recording has ended; false when it failed. */
static bool follow(struct drain *d)
{
	bool overwrite = d->all->opts.overwrite;
	int wait_ms = WAIT_MIN_MS;
	bool woken = false;

	while (!atomic_load_explicit(&d->all->stop, memory_order_acquire)) {
		ssize_t n = overwrite ? 0 : move(d, kft_pump_pages);

		if (n < 0)
			return false;
		if (now_ns() - d->sampled_ns >= SAMPLE_PERIOD_NS && sample_or_fail(d) < 0)
			return false;
		if (n > 0) {
			moved(d, n);
			wait_ms = WAIT_MIN_MS;
			woken = false;
			continue;
		}
		caught_up(d);
		/*
		 * Woken for nothing: a CPU that was never on has no buffer, and poll(2)
		 * says so at once, every time.
		 */
		woken = wait_for_pages(d, wait_ms, overwrite || woken);
		wait_ms = KFT_MIN(wait_ms * 2, WAIT_MAX_MS);
	}
	return true;
}

static bool take_rest(struct drain *d)
{
	ssize_t n;

	do {
		n = move(d, kft_pump_pages);
	} while (n > 0);
	while (n >= 0 && (n = move(d, kft_pump_rest)) > 0)
		;
	return n >= 0 && sample_or_fail(d) == 0;
}

static void *drain_main(void *arg)
{
	struct drain *d = arg;
	struct timespec nap = {.tv_nsec = REST_PERIOD_NS};
	char name[16]; /* the kernel's limit */

	(void)snprintf(name, sizeof(name), "kft-cpu%u", d->cpu);
	(void)pthread_setname_np(pthread_self(), name);
	if (!follow(d) || has_failed(d->all)) {
		(void)!sample(d); /* for the totals */
		return NULL;
	}
	for (int i = 0; i < REST_TRIES && take_rest(d) && d->last.entries; i++)
		(void)nanosleep(&nap, NULL);
	return NULL;
}

static int open_cpu_file(int instance_fd, uint32_t cpu, const char *name, int flags,
			 int *ret, struct kft_err *e)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/%s", cpu, name);
	int fd = openat(instance_fd, path, O_RDONLY | O_CLOEXEC | flags);
	if (fd < 0)
		return kft_err_sys(e, -errno, "cannot open '%s' of tracefs", path);
	*ret = fd;
	return 0;
}

static int drain_open(struct kft_drains *all, struct drain *d, uint32_t cpu,
		      struct kft_err *e)
{
	const struct kft_drains_opts *o = &all->opts;
	int out;

	*d = (struct drain){
		.all = all,
		.cpu = cpu,
		.raw_fd = -1,
		.stats_fd = -1,
		.pace = PACE_BUSY,
	};
	int r = open_cpu_file(o->instance_fd, cpu, "trace_pipe_raw", O_NONBLOCK,
			      &d->raw_fd, e);
	if (r == 0)
		r = open_cpu_file(o->instance_fd, cpu, "stats", 0, &d->stats_fd, e);
	if (r == 0)
		r = o->sink->ops->cpu_fd(o->sink, cpu, &out, e);
	if (r < 0)
		return r;
	r = kft_pump_open(&d->pump, d->raw_fd, out, o->page_size);
	if (r == 0)
		r = read_counts(d, &d->last);
	if (r < 0)
		return kft_err_sys(e, r, "cannot prepare to drain CPU %u", cpu);
	kft_loss_watch_init(&d->watch, &d->last);
	return 0;
}

static void drain_close(struct drain *d)
{
	kft_pump_close(&d->pump);
	kft_closep(&d->raw_fd);
	kft_closep(&d->stats_fd);
	kft_vec_finish(&d->ranges);
	kft_strbuf_finish(&d->stats_text);
}

/* What a CPU needs, the sink's file included. */
#define FDS_PER_CPU 5
#define FDS_BESIDE  256

/* Machines with many CPUs need more than the usual 1,024 descriptors. */
static void allow_descriptors(size_t cpus)
{
	struct rlimit limit;
	rlim_t want = cpus * FDS_PER_CPU + FDS_BESIDE;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= want)
		return;
	limit.rlim_cur = KFT_MIN(want, limit.rlim_max);
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_group(struct kft_drains *all, const struct kft_cpus *cpus,
		      struct kft_err *e)
{
	all->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	all->failed_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (all->stop_fd < 0 || all->failed_fd < 0)
		return kft_err_sys(e, -errno, "cannot prepare to drain");
	all->drains = calloc(cpus->len, sizeof(*all->drains));
	if (!all->drains)
		return kft_err_sys(e, -ENOMEM, "cannot prepare to drain");
	allow_descriptors(cpus->len);
	for (size_t i = 0; i < cpus->len; i++) {
		all->n++;
		int r = drain_open(all, &all->drains[i], cpus->data[i], e);

		if (r < 0)
			return r;
	}
	return 0;
}

int kft_drains_open(const struct kft_drains_opts *opts, struct kft_drains **ret,
		    struct kft_err *e)
{
	struct kft_cpus cpus = {};
	int r = kft_cpus_list(opts->instance_fd, &cpus);

	if (r < 0)
		return kft_err_sys(e, r, "cannot list the CPUs of tracefs");
	struct kft_drains *all = calloc(1, sizeof(*all));
	if (!all) {
		kft_vec_finish(&cpus);
		return kft_err_sys(e, -ENOMEM, "cannot prepare to drain");
	}
	all->opts = *opts;
	(void)pthread_mutex_init(&all->lock, NULL);
	r = open_group(all, &cpus, e);
	kft_vec_finish(&cpus);
	if (r < 0) {
		kft_drains_close(all);
		return r;
	}
	*ret = all;
	return 0;
}

static int start_thread(struct drain *d, const pthread_attr_t *attr)
{
	int r = pthread_create(&d->thread, attr, drain_main, d);

	d->running = r == 0;
	return -r;
}

int kft_drains_start(struct kft_drains *d, struct kft_err *e)
{
	pthread_attr_t attr;
	sigset_t all;
	sigset_t old;
	int r = 0;

	(void)pthread_attr_init(&attr);
	(void)pthread_attr_setstacksize(&attr, DRAIN_STACK_BYTES);
	/*
	 * Signals are for the caller's threads. SIGXFSZ, which a too big file raises in
	 * the thread that writes it, is an error of write(2) when blocked.
	 */
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	for (size_t i = 0; i < d->n && r == 0; i++)
		r = start_thread(&d->drains[i], &attr);
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	(void)pthread_attr_destroy(&attr);
	return r < 0 ? kft_err_sys(e, r, "cannot start a thread for each CPU") : 0;
}

int kft_drains_failed_fd(const struct kft_drains *d)
{
	return d->failed_fd;
}

static void end_threads(struct kft_drains *d)
{
	atomic_store_explicit(&d->stop, true, memory_order_release);
	signal_fd(d->stop_fd);
	for (size_t i = 0; i < d->n; i++) {
		if (d->drains[i].running)
			(void)pthread_join(d->drains[i].thread, NULL);
		d->drains[i].running = false;
	}
}

int kft_drains_finish(struct kft_drains *d, struct kft_err *e)
{
	end_threads(d);
	if (d->err.code && e)
		*e = d->err;
	return d->err.code;
}

void kft_drains_progress(const struct kft_drains *d, struct kft_progress *ret)
{
	struct kft_progress p = {};

	for (size_t i = 0; i < d->n; i++) {
		struct drain *it = &d->drains[i];

		p.events += atomic_load_explicit(&it->events, memory_order_relaxed);
		p.bytes += atomic_load_explicit(&it->bytes, memory_order_relaxed);
		p.lost += atomic_load_explicit(&it->lost, memory_order_relaxed);
	}
	ret->events = p.events;
	ret->bytes = p.bytes;
	ret->lost = p.lost;
}

static int report_cpu(struct drain *d, struct kft_meta *meta)
{
	struct kft_cpu_stat stat = {
		.cpu = d->cpu,
		.recorded_bytes = atomic_load_explicit(&d->bytes, memory_order_relaxed),
		.overrun = d->last.overrun,
		.dropped_events = d->last.dropped,
		.commit_overrun = d->last.commit_overrun,
		.unread = d->last.entries,
	};
	int r = kft_meta_set_blob(meta, &stat.text, d->stats_text.buf, d->stats_text.len);

	if (r < 0 || !kft_vec_push(&meta->stats, stat) ||
	    !kft_vec_reserve(&meta->lost, d->ranges.len))
		return -ENOMEM;
	for (size_t i = 0; i < d->ranges.len; i++)
		(void)kft_vec_push(&meta->lost, d->ranges.data[i]);
	return 0;
}

int kft_drains_report(const struct kft_drains *d, struct kft_meta *meta)
{
	int r = 0;

	for (size_t i = 0; i < d->n && r == 0; i++)
		r = report_cpu(&d->drains[i], meta);
	return r;
}

struct kft_drains *kft_drains_close(struct kft_drains *d)
{
	if (!d)
		return NULL;
	end_threads(d);
	for (size_t i = 0; i < d->n; i++)
		drain_close(&d->drains[i]);
	kft_closep(&d->stop_fd);
	kft_closep(&d->failed_fd);
	(void)pthread_mutex_destroy(&d->lock);
	free(d->drains);
	free(d);
	return NULL;
}
