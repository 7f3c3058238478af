// SPDX-License-Identifier: LGPL-2.1-or-later
/* Waits with a run until it is complete. */
#include "session/run/retention.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "capture/notify.h"
#include "session/run/run.h"

/*
 * Time between two checks while a run waits and while it records. A stop time that counts
 * from a trigger counts from the check that notices it, so such a run is checked more
 * often.
 */
#define WAIT_NS		UINT64_C(50000000)
#define WAIT_SHORTER_NS UINT64_C(10000000)
#define RECORD_NS	UINT64_C(20000000)
/* A recording may last for weeks; a stop time has a deadline of its own. */
#define RECORDING_NS UINT64_C(1000000000)
/* A run that streams is drained all the time; its state is checked this often. */
#define STREAM_NS UINT64_C(250000000)
/*
 * The pause between two drains, in which another command may have the run, and the longer
 * one if a command asked for it.
 */
#define OTHERS_NS	UINT64_C(1000000)
#define OTHERS_WAIT_NS	UINT64_C(20000000)
#define STREAM_TASKS_NS UINT64_C(5000000000)
/* The kernel's buffer has room for the names of some 13,000 programs on each CPU. */
#define NAMES_NS UINT64_C(1000000000)

/*
 * On a machine that tracing makes slow, a check may take longer than the time between
 * two: the keeper then leaves at least this many times the duration of a check to other
 * commands.
 */
#define REST_FACTOR 4

/*
 * The keeper drains a run that streams for as long as nothing else is due, and holds the
 * run's lock meanwhile. Another command that wants the lock opens the directory first,
 * which inotify shows.
 */
struct lingering {
	int opened_fd; /* owned: an inotify instance; -1: others have to wait */
	int cancel_fd; /* borrowed */
	const struct next_look *next; /* borrowed: limits the time */
	bool was_asked; /* another command wants the run */
	uint64_t spent_ns;
};

/* The time of the next check, and a deadline if a start or a stop is due. */
struct next_look {
	bool without_tasks; /* this time */
	bool without_names; /* this time */
	uint64_t wake;
	uint64_t deadline; /* UINT64_MAX: nothing is due */
	bool lacks_start; /* reported: the start's module is not loaded */
	struct kft_part_rate rate; /* of the last check */
	struct kft_module_events *modules; /* borrowed */
};

/* Recording starts this long before a start time: a timer alone would be late. */
#define LEAD_NS UINT64_C(10000000)

static int tend_waiting(struct kft_run *r, const struct kft_plan *plan,
			struct next_look *ret, struct kft_err *e)
{
	uint64_t now = kft_now_ns();
	bool counts = plan->stop.kind == KFT_TRIGGER_TIME;

	ret->wake = now + (counts ? WAIT_SHORTER_NS : WAIT_NS);
	/* A start time comes once. */
	if (plan->start.kind != KFT_TRIGGER_TIME || r->rec.started != KFT_CAUSE_NONE)
		return 0;
	uint64_t at = kft_boot_to_now_ns(plan->start.time_ns);
	if (now + LEAD_NS < at) {
		ret->deadline = at - LEAD_NS;
		return 0;
	}
	return kft_run_start(r, plan, KFT_CAUSE_TIME, KFT_MAX(at, now), e);
}

static uint64_t pause_ns(const struct kft_run_options *o)
{
	if (o->stream)
		return STREAM_NS;
	return o->is_recording && !o->max_bytes && !o->max_events ? RECORDING_NS
								  : RECORD_NS;
}

int kft_run_adjust(struct kft_run *r, struct kft_part_rate *last, struct kft_err *e)
{
	struct kft_part *lead = kft_run_lead(r);
	const struct kft_run_options *o = &r->rec.options;

	return (o->keep_ns || o->max_cost_ppm) && kft_part_ops(lead)->adjust
		       ? kft_part_ops(lead)->adjust(lead, last, e)
		       : 0;
}

static int tend_recording(struct kft_run *r, const struct kft_plan *plan,
			  struct next_look *ret, struct kft_err *e)
{
	uint64_t now = kft_now_ns();
	uint64_t end;

	ret->wake = now + pause_ns(&r->rec.options);
	int n = kft_run_adjust(r, &ret->rate, e);
	if (n < 0)
		return n;
	if (plan->stop.kind != KFT_TRIGGER_TIME ||
	    kft_add(r->rec.start_ns, plan->stop.time_ns, &end))
		return 0;
	if (now < end) {
		ret->deadline = end;
		return 0;
	}
	return plan->autorepeat ? kft_run_wait_again(r, end, e)
				: kft_run_stop(r, plan, KFT_CAUSE_TIME, end, e);
}

static int tend(struct kft_run *r, const struct kft_plan *plan, struct next_look *ret,
		struct kft_err *e)
{
	int n = kft_run_refresh(r, plan, e);

	if (n < 0 || !kft_state_is_under_way(r->rec.state))
		return n;
	return !r->rec.start_ns ? tend_waiting(r, plan, ret, e)
				: tend_recording(r, plan, ret, e);
}

static void note_names(const struct kft_run *r, struct kft_module_events *events)
{
	struct kft_part *lead = kft_run_lead(r);

	if (kft_part_ops(lead)->note_names)
		kft_part_ops(lead)->note_names(lead, events);
}

int kft_run_tend(struct kft_run *r, const struct kft_plan *plan, struct kft_err *e)
{
	struct next_look unused = {};

	if (kft_state_is_under_way(r->rec.state))
		note_names(r, NULL);
	return tend(r, plan, &unused, e);
}

static int watch_opens(int dir_fd)
{
	_cleanup_close_ int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	char path[32];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", dir_fd);
	if (fd < 0 || inotify_add_watch(fd, path, IN_OPEN | IN_ONLYDIR) < 0)
		return -1;
	return TAKE_FD(fd);
}

/* Whether the directory itself was opened, not a file in it. */
static bool was_opened(int opened_fd)
{
	char buf[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	bool found = false;
	ssize_t n;

	while (opened_fd >= 0 && (n = read(opened_fd, buf, sizeof(buf))) > 0)
		for (const char *at = buf; at < buf + n;) {
			const struct inotify_event *ev = (const void *)at;

			found |= !ev->len;
			at += sizeof(*ev) + ev->len;
		}
	return found;
}

static int ppoll_until(struct pollfd *fds, size_t n, uint64_t until_ns)
{
	uint64_t now = kft_now_ns();
	uint64_t left = until_ns > now ? until_ns - now : 0;
	struct timespec ts = {.tv_sec = (time_t)(left / 1000000000U),
			      .tv_nsec = (long)(left % 1000000000U)};

	return ppoll(fds, n, &ts, NULL);
}

static void linger(void *arg, int failed_fd)
{
	struct lingering *l = arg;
	uint64_t began = kft_now_ns();
	uint64_t until = KFT_MIN(l->next->wake, l->next->deadline);
	struct pollfd fds[] = {
		{.fd = l->opened_fd, .events = POLLIN},
		{.fd = l->cancel_fd, .events = POLLIN},
		{.fd = failed_fd, .events = POLLIN},
	};

	/* Discards the keeper's own open of the directory. */
	(void)was_opened(l->opened_fd);
	do {
		if (ppoll_until(fds, ARRAY_SIZE(fds), until) <= 0)
			break;
		l->was_asked = fds[0].revents && was_opened(l->opened_fd);
	} while (!l->was_asked && !fds[1].revents && !fds[2].revents);
	l->spent_ns = kft_now_ns() - began;
}

/* Reports once that the run cannot start because its function's module is not loaded. */
static void look_for_start(const struct kft_run *r, const struct kft_plan *plan,
			   const struct kft_notify *notify, bool *told)
{
	char module[KFT_PROBE_MODULE_MAX];

	if (!notify || !kft_run_lacks_module(r, plan, module)) {
		*told = false;
		return;
	}
	if (!*told)
		kft_notify(notify,
			   "session '%s' starts at a function of module '%s', which is "
			   "not loaded: it waits until it is, and calls that function",
			   r->dir.name, module);
	*told = true;
}

/* Checks once. Returns 1 when the run is complete, 0 with the time of the next check. */
static int look(struct kft_host *host, const char *name, int dir_fd,
		const struct kft_plan *plan, const struct kft_run_counter *counter,
		struct lingering *l, struct next_look *ret, struct kft_err *e)
{
	struct kft_run r;
	int n = kft_run_open(host, name, &r, e);

	if (n < 0)
		return n;
	l->next = ret;
	r.without_tasks = ret->without_tasks;
	r.linger = linger;
	r.linger_arg = l;
	n = kft_rundir_is(&r.dir, dir_fd)
		    ? tend(&r, plan, ret, e)
		    : kft_err_set(e, -ENOENT, "session '%s' was reset", name);
	if (n == 0 && r.count_due)
		n = counter->count(counter->arg, &r, plan, e);
	if (n == 0 && !ret->without_names && kft_state_is_under_way(r.rec.state)) {
		note_names(&r, ret->modules);
		look_for_start(&r, plan, counter ? counter->notify : NULL,
			       &ret->lacks_start);
	}
	if (n == 0 && r.rec.state == KFT_STATE_LOADED)
		n = kft_err_set(e, -EINVAL, "session '%s' was not primed", name);
	if (n == 0 && kft_state_is_complete(r.rec.state))
		n = 1;
	kft_run_close(&r);
	return n;
}

/* Returns the time of the next check, after one that began at began_ns and set next. */
static uint64_t next_ns(const struct next_look *next, const struct lingering *l,
			uint64_t began_ns)
{
	uint64_t now = kft_now_ns();
	uint64_t rest = REST_FACTOR * (now - began_ns - l->spent_ns);

	if (l->spent_ns)
		rest = l->was_asked ? OTHERS_WAIT_NS : OTHERS_NS;
	return KFT_MIN(KFT_MAX(l->spent_ns ? now : next->wake, now + rest),
		       next->deadline);
}

static int keep(struct kft_host *host, const char *name, int dir_fd,
		const struct kft_plan *plan, const struct kft_run_counter *counter,
		struct lingering *l, struct kft_err *e)
{
	_cleanup_(kft_module_events_end) struct kft_module_events modules = {};
	struct kft_part_rate rate = {};
	uint64_t tasks_ns = 0;
	uint64_t names_ns = 0;
	bool lacks_start = false;

	for (;;) {
		struct pollfd pfd = {.fd = l->cancel_fd, .events = POLLIN};
		struct next_look next = {
			.deadline = UINT64_MAX, .rate = rate, .modules = &modules};
		uint64_t began = kft_now_ns();

		next.without_tasks = began - tasks_ns < STREAM_TASKS_NS;
		if (!next.without_tasks)
			tasks_ns = began;
		next.without_names = began - names_ns < NAMES_NS;
		if (!next.without_names)
			names_ns = began;
		l->spent_ns = 0;
		l->was_asked = false;
		next.lacks_start = lacks_start;
		int n = look(host, name, dir_fd, plan, counter, l, &next, e);

		lacks_start = next.lacks_start;
		rate = next.rate;
		if (n != 0)
			return n;
		n = ppoll_until(&pfd, 1, next_ns(&next, l, began));
		if (n < 0 && errno != EINTR)
			return kft_err_sys(e, -errno, "cannot wait");
		if (n > 0)
			return 0;
	}
}

int kft_run_retention(struct kft_host *host, const char *name, int dir_fd,
		      const struct kft_plan *plan, const struct kft_run_counter *counter,
		      int cancel_fd, struct kft_err *e)
{
	struct lingering l = {.opened_fd = watch_opens(dir_fd), .cancel_fd = cancel_fd};
	int n = keep(host, name, dir_fd, plan, counter, &l, e);

	kft_closep(&l.opened_fd);
	return n;
}
