// SPDX-License-Identifier: LGPL-2.1-or-later
/* Hands a program the events of its own recording as they happen. */
#include "api/feed.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "decode/cmdlines.h"
#include "decode/format.h"
#include "decode/ring.h"
#include "decode/trace_lazy.h"

/* State of one CPU: the current page and its next event. */
struct feed_cpu {
	int raw_fd; /* borrowed from the capture */
	uint8_t *page; /* owned */
	struct kft_ring_page walk;
	struct kft_event next;
	bool has_next;
	bool is_watched; /* in cpus_fd */
	/*
	 * Time of the last read that found it empty, on the clock
	 * of the events; 0: never.
	 */
	uint64_t empty_ns;
	/*
	 * Lost events that no event carries yet; relaxed: a number only, no
	 * other data depends on it.
	 */
	_Atomic uint64_t lost;
	/* An uncounted number of lost events in addition. */
	atomic_bool is_lost_unknown;
};

struct kft_feed {
	struct kft_sink sink;
	struct kft_trace *trace; /* owned; NULL until begun */
	struct kft_ring_layout layout;
	clockid_t clock;
	size_t page_size;
	struct feed_cpu *cpus; /* owned; by number */
	uint32_t n_cpus;
	/* CPU of the event that the program holds; NULL: none. */
	struct feed_cpu *given;
	struct kft_event event; /* the event that the program holds */
	int epoll_fd; /* owned: waits for cpus_fd and timer_fd */
	int cpus_fd; /* owned: epoll(7) of all CPUs, readable when one has events */
	int timer_fd; /* owned: readable when the next event is old enough */
	bool waits_for_time; /* true: waiting for timer_fd; false: for cpus_fd */
	bool is_ended;
};

static struct kft_feed *of(struct kft_sink *s)
{
	return container_of(s, struct kft_feed, sink);
}

static int find_clock(const char *name, clockid_t *ret, struct kft_err *e)
{
	if (kft_clock_id(name, ret))
		return 0;
	kft_err_set(e, -EINVAL, "events cannot be handed out in order by the clock '%s'",
		    name);
	kft_err_hint(e, "use mono, mono_raw, boot or tai");
	return -EINVAL;
}

/* Texts are borrowed from the capture, which outlives the feed. */
static int fill_trace(struct kft_trace *t, const struct kft_meta *meta)
{
	struct kft_meta *m = &t->meta;
	struct kft_buffer buffer = {.clock = meta->clock, .page_size = meta->page_size};

	m->big_endian = meta->big_endian;
	m->long_size = meta->long_size;
	m->page_size = meta->page_size;
	m->cpu_count = meta->cpu_count;
	m->clock = meta->clock;
	m->kallsyms = meta->kallsyms;
	m->printk_formats = meta->printk_formats;
	m->cmdlines = meta->cmdlines;
	m->tgids = meta->tgids;
	m->uname = meta->uname;
	t->classes.parse = kft_format_parse;
	t->classes.long_size = meta->long_size;
	kft_vec_for_each(&meta->formats, f)
		if (kft_class_table_add(&t->classes, f->system, f->text.data,
					f->text.len) == -ENOMEM)
			return -ENOMEM;
	return kft_vec_push(&t->buffers, buffer) ? 0 : -ENOMEM;
}

static int prepare(struct kft_feed *f, const struct kft_meta *meta)
{
	int r = kft_ring_layout_parse(meta->header_page.data, meta->header_page.len,
				      meta->big_endian, &f->layout);

	if (r < 0)
		f->layout = kft_ring_layout_default(meta->big_endian, meta->long_size);
	f->page_size = meta->page_size;
	f->cpus = calloc(meta->cpu_count, sizeof(*f->cpus));
	if (!f->cpus)
		return -ENOMEM;
	f->n_cpus = meta->cpu_count;
	r = kft_trace_create(&f->trace);
	if (r < 0)
		return r;
	f->trace->is_live = true;
	return fill_trace(f->trace, meta);
}

static int feed_begin(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	struct kft_feed *f = of(s);
	int r = find_clock(meta->clock.name, &f->clock, e);

	if (r < 0)
		return r;
	r = prepare(f, meta);
	return r < 0 ? kft_err_sys(e, r, "cannot hand out events") : 0;
}

static void watch(struct kft_feed *f, struct feed_cpu *c)
{
	struct epoll_event ev = {.events = EPOLLIN};

	/* In tests a plain file stands for the kernel's, and epoll rejects it. */
	c->is_watched = epoll_ctl(f->cpus_fd, EPOLL_CTL_ADD, c->raw_fd, &ev) == 0;
}

static void unwatch(struct kft_feed *f, struct feed_cpu *c)
{
	if (c->is_watched)
		(void)epoll_ctl(f->cpus_fd, EPOLL_CTL_DEL, c->raw_fd, NULL);
	c->is_watched = false;
}

static int feed_take_fd(struct kft_sink *s, uint32_t cpu, int raw_fd, struct kft_err *e)
{
	struct kft_feed *f = of(s);

	if (cpu >= f->n_cpus)
		return kft_err_set(e, -EINVAL, "no CPU %u: this machine has %u", cpu,
				   f->n_cpus);
	struct feed_cpu *c = &f->cpus[cpu];
	c->page = malloc(f->page_size);
	if (!c->page)
		return kft_err_sys(e, -ENOMEM, "cannot hand out events");
	c->raw_fd = raw_fd;
	watch(f, c);
	return 0;
}

static int feed_lost(struct kft_sink *s, const struct kft_lost_range *range)
{
	struct kft_feed *f = of(s);

	if (range->cpu >= f->n_cpus)
		return 0;
	struct feed_cpu *c = &f->cpus[range->cpu];
	if (range->count == KFT_LOST_UNKNOWN)
		atomic_store_explicit(&c->is_lost_unknown, true, memory_order_relaxed);
	else
		atomic_fetch_add_explicit(&c->lost, range->count, memory_order_relaxed);
	return 0;
}

/*
 * Adds task names. The caller is the thread that asks for events, so no lock is needed.
 */
static int feed_tasks(struct kft_sink *s, const struct kft_blob *cmdlines,
		      const struct kft_blob *tgids)
{
	struct kft_trace *t = of(s)->trace;
	size_t bad;

	(void)kft_trace_tasks(t);
	int r = kft_cmdlines_parse(cmdlines->data, cmdlines->len, &t->tasks, &bad);
	return r < 0 ? r : kft_tgids_parse(tgids->data, tgids->len, &t->tasks, &bad);
}

static int feed_end(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	of(s)->is_ended = true;
	return 0;
}

static void feed_keep(struct kft_sink *s)
{
}

static const struct kft_sink_ops feed_ops = {
	.begin = feed_begin,
	.take_fd = feed_take_fd,
	.lost = feed_lost,
	.tasks = feed_tasks,
	.end = feed_end,
	.destroy = feed_keep,
};

int kft_feed_create(struct kft_feed **ret)
{
	struct kft_feed *f = calloc(1, sizeof(*f));
	struct epoll_event ev = {.events = EPOLLIN};

	if (!f)
		return -ENOMEM;
	f->sink.ops = &feed_ops;
	f->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	f->cpus_fd = epoll_create1(EPOLL_CLOEXEC);
	f->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (f->epoll_fd < 0 || f->cpus_fd < 0 || f->timer_fd < 0 ||
	    epoll_ctl(f->epoll_fd, EPOLL_CTL_ADD, f->cpus_fd, &ev) < 0 ||
	    epoll_ctl(f->epoll_fd, EPOLL_CTL_ADD, f->timer_fd, &ev) < 0) {
		int r = -errno;

		(void)kft_feed_destroy(f);
		return r;
	}
	*ret = f;
	return 0;
}

struct kft_feed *kft_feed_destroy(struct kft_feed *f)
{
	if (!f)
		return NULL;
	for (uint32_t i = 0; i < f->n_cpus; i++)
		free(f->cpus[i].page);
	free(f->cpus);
	kft_trace_destroy(f->trace);
	kft_closep(&f->timer_fd);
	kft_closep(&f->cpus_fd);
	kft_closep(&f->epoll_fd);
	free(f);
	return NULL;
}

struct kft_sink *kft_feed_sink(struct kft_feed *f)
{
	return &f->sink;
}

struct kft_trace *kft_feed_trace(struct kft_feed *f)
{
	return f->trace;
}

int kft_feed_fd(const struct kft_feed *f)
{
	return f->epoll_fd;
}

/* Adds the losses to the next event. */
static void tell_lost(struct feed_cpu *c)
{
	uint64_t lost = atomic_exchange_explicit(&c->lost, 0, memory_order_relaxed);

	if (atomic_exchange_explicit(&c->is_lost_unknown, false, memory_order_relaxed) ||
	    kft_add(c->next.lost_before, lost, &c->next.lost_before))
		c->next.lost_before = KFT_LOST_UNKNOWN;
}

/* Moves to the next event of the current page; false at its end. */
static bool step(struct kft_feed *f, struct feed_cpu *c)
{
	const struct kft_event origin = {.cpu = (uint32_t)(c - f->cpus)};
	size_t n = 0;

	/* The kernel's pages are complete, so a malformed record just ends the page. */
	if (!c->walk.pos)
		return false;
	(void)!kft_ring_read(&c->walk, f->layout.big_endian, NULL, &origin, &c->next, 1,
			     &n);
	c->has_next = n;
	if (n)
		tell_lost(c);
	else
		c->walk.pos = NULL;
	return n;
}

/*
 * Reads one more page, even if it is not full: 1, 0 when there is none,
 * -errno. A CPU that was never online has no buffer; it is unwatched, as epoll
 * would report it all the time.
 */
static int read_page(struct kft_feed *f, struct feed_cpu *c)
{
	ssize_t n;

	do {
		n = read(c->raw_fd, c->page, f->page_size);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && errno == ENODEV)
		unwatch(f, c);
	if (n <= 0)
		return n < 0 && errno != EAGAIN && errno != ENODEV ? -errno : 0;
	if (kft_ring_page_open(&f->layout, c->page, n, &c->walk) < 0)
		c->walk.pos = NULL;
	return 1;
}

/* Reads until the CPU has an event or is found empty. */
static int refill(struct kft_feed *f, struct feed_cpu *c)
{
	for (;;) {
		uint64_t before = kft_clock_ns(f->clock);
		int r = step(f, c) ? 1 : read_page(f, c);

		if (r < 0)
			return r;
		if (c->has_next)
			return 0;
		if (r == 0) {
			c->empty_ns = before;
			return 0;
		}
	}
}

static struct feed_cpu *earliest(const struct kft_feed *f)
{
	struct feed_cpu *min = NULL;

	for (uint32_t i = 0; i < f->n_cpus; i++) {
		struct feed_cpu *c = &f->cpus[i];

		if (c->has_next && (!min || c->next.ts < min->next.ts))
			min = c;
	}
	return min;
}

/* Ensures that every CPU without an event has none before limit. */
static int look_until(struct kft_feed *f, uint64_t limit)
{
	for (uint32_t i = 0; i < f->n_cpus; i++) {
		struct feed_cpu *c = &f->cpus[i];

		if (!c->page || c->has_next || (c->empty_ns && c->empty_ns > limit))
			continue;
		int r = refill(f, c);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool is_settled(const struct kft_feed *f, uint64_t limit)
{
	for (uint32_t i = 0; i < f->n_cpus; i++) {
		const struct feed_cpu *c = &f->cpus[i];

		if (c->page && !c->has_next && c->empty_ns <= limit)
			return false;
	}
	return true;
}

/*
 * Chooses the event that wakes the program: new pages, or the time at which the
 * earliest event is old enough. While waiting for time, new pages stay unread and
 * would wake it continuously.
 */
static void wait_for_time(struct kft_feed *f, bool waits)
{
	const struct itimerspec t = {
		.it_value = {.tv_nsec = waits ? KFT_FEED_SLACK_NS : 0}};
	struct epoll_event ev = {.events = waits ? 0 : EPOLLIN};

	/* Setting the timer also resets an earlier expiry. */
	if (waits || f->waits_for_time)
		(void)timerfd_settime(f->timer_fd, 0, &t, NULL);
	if (waits != f->waits_for_time)
		(void)epoll_ctl(f->epoll_fd, EPOLL_CTL_MOD, f->cpus_fd, &ev);
	f->waits_for_time = waits;
}

static int give(struct kft_feed *f, struct feed_cpu *c, const struct kft_event **ret)
{
	f->event = c->next;
	f->given = c;
	c->has_next = false;
	*ret = &f->event;
	return 1;
}

int kft_feed_next(struct kft_feed *f, const struct kft_event **ret)
{
	if (!f->trace)
		return -EAGAIN;
	/* The program's event is borrowed from the page that is read next. */
	if (f->given)
		(void)step(f, f->given);
	f->given = NULL;
	const struct feed_cpu *c = earliest(f);
	int r = look_until(f, c ? c->next.ts + KFT_FEED_SLACK_NS : UINT64_MAX);
	if (r < 0)
		return r;
	/* A page that was read meanwhile may have an earlier event. */
	struct feed_cpu *min = earliest(f);
	if (!min && f->is_ended)
		return 0;
	if (!min || (!f->is_ended && !is_settled(f, min->next.ts + KFT_FEED_SLACK_NS))) {
		wait_for_time(f, min);
		return -EAGAIN;
	}
	return give(f, min, ret);
}
