// SPDX-License-Identifier: LGPL-2.1-or-later
/* Starts and ends the process that watches for conditions of a session, and its main loop. */
#include "watch/watcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>

#include <kft/session.h>
#include <kft/trace.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "capture/interrupt.h"
#include "model/scope.h"
#include "session/background.h"
#include "session/flight.h"
#include "tracefs/control/instance.h"
#include "tracefs/control/mount.h"
#include "tracefs/sources/hist.h"
#include "watch/act.h"
#include "watch/lock.h"
#include "watch/status.h"

/* Interval of checks that the session still exists. */
#define LOOK_MS	     1000
#define LOOK_NS	     (UINT64_C(1000000) * LOOK_MS)
#define BUFFER_BYTES ((uint64_t)2 << 20)
/*
 * When a reader has no events to return, it has returned all that are
 * older than this (api/feed.h).
 */
#define BEHIND_NS UINT64_C(1000000)

struct watcher {
	struct kft_watch_done done;
	struct kft_watch_tally tally;
	struct kft_plan plan; /* plan of the watcher's own session */
	struct kft_session *session;
	struct kft_match *match;
	struct kft_interrupt interrupt;
	int lock_fd;
	uint64_t missed_told;
	uint64_t since_ns; /* start of all times in conditions */
	/* Time of the next check of the room in the kernel's tables. */
	uint64_t room_ns;
	bool is_over;
};

/* Whether the session goes on. Writes the watcher's status for `kft status`. */
static bool look(struct watcher *w)
{
	struct kft_detached d;

	if (kft_detached_open(w->done.session, NULL, &d, NULL) < 0)
		return false;
	bool is_mine = kft_watch_lock_holds(&d.run.dir, w->lock_fd);
	if (is_mine)
		kft_watch_say(&d.run.dir, &w->tally, &w->done);
	if (is_mine && w->tally.missed != w->missed_told) {
		w->missed_told = w->tally.missed;
		kft_flight_mark(&d, "kft: not watched: ",
				"events were lost before they were looked at");
	}
	bool goes_on = is_mine && kft_state_is_under_way(d.run.rec.state);
	kft_detached_close(&d);
	return goes_on;
}

static int came(void *arg, const struct kft_seen *seen)
{
	struct watcher *w = arg;

	if (w->is_over || !kft_watch_counts(&w->tally, seen))
		return 0;
	w->is_over = kft_watch_act(&w->done, seen);
	kft_watch_rests(&w->tally, seen->condition, kft_now_ns());
	w->is_over |= !look(w);
	return 0;
}

static int read_events(struct watcher *w)
{
	struct kft_reader *reader = kft_session_reader(w->session);
	const struct kft_event *ev;
	int r = 0;

	while (!w->is_over && (r = kft_reader_next(reader, &ev)) > 0) {
		if (ev->lost_before)
			w->tally.missed = kft_lost_add(w->tally.missed, ev->lost_before);
		r = kft_match_feed(w->match, ev);
		if (r < 0)
			return r;
	}
	return r == -EAGAIN ? 0 : r;
}

/* The time until a condition is due, or until the next check of the session. */
static int timeout_ms(const struct watcher *w)
{
	uint64_t due = kft_match_due_ns(w->match);
	uint64_t now = kft_now_ns();

	if (due >= now + LOOK_NS)
		return LOOK_MS;
	uint64_t left = due + BEHIND_NS > now ? due + BEHIND_NS - now : 0;
	return (int)((left + 999999) / 1000000);
}

/* Waits for events or a timeout, and handles them. */
static int take_turn(struct watcher *w, struct kft_err *e)
{
	struct pollfd fds[] = {
		{.fd = w->interrupt.fd, .events = POLLIN},
		{.fd = kft_session_fd(w->session), .events = POLLIN},
	};
	int r = kft_session_wait(w->session, fds, ARRAY_SIZE(fds), timeout_ms(w), e);

	if (r < 0 && r != -EINTR)
		return r;
	w->is_over |= kft_interrupt_take(&w->interrupt) != 0;
	uint64_t before = kft_now_ns();
	r = read_events(w);
	if (r == 0 && !w->is_over)
		r = kft_match_time(w->match, before - BEHIND_NS);
	return r < 0 ? kft_err_sys(e, r, "cannot read events") : 0;
}

static int name_session(struct kft_plan *p, struct kft_err *e)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "watch-%ld", (long)getpid());
	return kft_plan_set_name(p, name, e);
}

static void close_session(struct watcher *w)
{
	w->match = kft_match_destroy(w->match);
	(void)!kft_session_close(w->session, NULL);
	w->session = NULL;
	kft_plan_finish(&w->plan);
}

static int open_this_way(struct watcher *w, struct kft_err *e)
{
	const struct kft_session_opts opts = {.size = sizeof(opts)};
	const struct kft_conditions conditions = kft_watch_conditions(&w->tally);
	int r = kft_match_plan(&conditions, &w->plan, e);

	w->plan.size = sizeof(w->plan);
	w->plan.buffer_bytes = BUFFER_BYTES;
	/* The session needs a name, by which lacks_room() finds its tables. */
	if (r == 0 && w->plan.n_intervals)
		r = name_session(&w->plan, e);
	if (r == 0)
		r = kft_plan_set_clock(&w->plan, "mono", e);
	if (r == 0)
		r = kft_session_open(&w->plan, &opts, &w->session, e);
	if (r == 0)
		r = kft_session_start(w->session, e);
	if (r == 0)
		r = kft_match_create(&conditions, kft_session_trace(w->session),
				     w->since_ns, came, w, &w->match, e);
	if (r < 0)
		close_session(w);
	return r;
}

/* Continues without the kernel's tables, because of `why`: all events are read. */
static int read_along(struct watcher *w, const char *why, struct kft_err *e)
{
	close_session(w);
	w->tally.in_kernel = false;
	(void)snprintf(w->tally.along, sizeof(w->tally.along), "%.*s",
		       (int)sizeof(w->tally.along) - 1, why);
	return open_this_way(w, e);
}

/* Lets the kernel find the conditions that it can; if that fails, all events are read. */
static int open_session(struct watcher *w, struct kft_err *e)
{
	struct kft_err refused = {};

	w->since_ns = kft_now_ns();
	w->tally.in_kernel = true;
	return open_this_way(w, &refused) == 0 ? 0 : read_along(w, refused.msg, e);
}

/* 1 when the kernel's tables have no room for more keys. */
static int lacks_room(const struct watcher *w)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	char path[64];
	int tracefs;

	if (kft_host_open(NULL, &host, NULL) < 0 ||
	    kft_tracefs_open(host, &tracefs, NULL) < 0)
		return 0;
	(void)snprintf(path, sizeof(path), "instances/" KFT_INSTANCE_PREFIX "%s",
		       w->plan.name);
	_cleanup_close_ int fd = openat(tracefs, path,
					O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? 0 : kft_hist_is_filling(&w->plan, fd);
}

/*
 * Switches to reading all events if a table is full. Intervals that are open
 * at the switch are missed.
 */
static int check_room(struct watcher *w, struct kft_err *e)
{
	uint64_t now = kft_now_ns();

	if (!HAVE_HIST || !w->plan.n_intervals || now < w->room_ns)
		return 0;
	bool lacks = lacks_room(w) > 0;
	/* Reading a long table takes time, so it is read less often. */
	w->room_ns = kft_now_ns() + KFT_MAX(LOOK_NS, 200 * (kft_now_ns() - now));
	if (!lacks)
		return 0;
	w->tally.missed = KFT_LOST_UNKNOWN;
	return read_along(w, "there were too many of them for the kernel's table", e);
}

static void watch(struct watcher *w)
{
	uint64_t looked = kft_now_ns();
	struct kft_err err = {};

	while (!w->is_over) {
		if (take_turn(w, &err) < 0 || check_room(w, &err) < 0) {
			(void)snprintf(w->done.trouble, sizeof(w->done.trouble), "%s",
				       err.msg);
			w->is_over = true;
		}
		if (w->is_over || kft_now_ns() - looked >= LOOK_NS) {
			w->is_over |= !look(w);
			looked = kft_now_ns();
		}
	}
}

static bool takes_snapshots(const struct watcher *w)
{
	const struct kft_conditions *list = &w->done.opts->conditions;

	for (size_t i = 0; i < list->len; i++)
		if (kft_condition_does(&list->data[i], KFT_ACTION_SNAPSHOT))
			return true;
	return false;
}

/* A session that cannot take snapshots is reported now, not when a condition is met. */
static int prepare(struct watcher *w, struct kft_err *e)
{
	struct kft_detached d;
	int r = takes_snapshots(w) ? kft_detached_open(w->done.session, NULL, &d, e) : 1;

	if (r != 0)
		return KFT_MIN(r, 0);
	r = kft_flight_prepare(&d, e);
	kft_detached_close(&d);
	return r;
}

static int begin(struct watcher *w, struct kft_err *e)
{
	int r = kft_watch_lock_take(w->done.session, &w->lock_fd, e);

	if (r == 0)
		r = kft_watch_tally_init(&w->tally, w->done.opts, e);
	if (r == 0)
		r = kft_interrupt_open(&w->interrupt, e);
	if (r == 0)
		r = prepare(w, e);
	if (r == 0)
		r = open_session(w, e);
	if (r == 0 && !look(w))
		r = kft_err_set(e, -ENOENT, "session '%s' does not record",
				w->done.session);
	return r;
}

struct start {
	const char *session; /* borrowed, as opts */
	const struct kft_watch_opts *opts;
};

/*
 * The main function of the process (session/background.h), started with a struct start.
 * It answers with a struct kft_err when it is ready, or when it fails.
 */
static void live(const void *arg, int answer_fd)
{
	const struct start *start = arg;
	struct watcher w = {
		.done = {.session = start->session, .opts = start->opts},
		.interrupt = {.fd = -1},
		.lock_fd = -1,
	};
	struct kft_err err = {};
	int r = begin(&w, &err);

	(void)!kft_write_all(answer_fd, &err, sizeof(err));
	kft_closep(&answer_fd);
	if (r == 0)
		watch(&w);
	close_session(&w);
	kft_watch_tally_finish(&w.tally);
	kft_closep(&w.lock_fd);
}

int kft_watcher_spawn(struct kft_host *host, const char *session,
		      const struct kft_watch_opts *opts, struct kft_err *e)
{
	const struct start start = {session, opts};
	struct kft_err told;

	/*
	 * A watcher of an earlier session of this name may not have noticed its end yet.
	 */
	kft_watcher_end(host, session);
	int n = kft_background(live, &start, &told, sizeof(told));
	if (n < 0)
		return kft_err_sys(e, n, "cannot start a watcher");
	if (n < (int)sizeof(told))
		return kft_err_set(e, -EIO, "the watcher died");
	if (told.code < 0 && e)
		*e = told;
	return told.code;
}

void kft_watcher_end(struct kft_host *host, const char *session)
{
	struct kft_rundir dir;
	_cleanup_close_ int fd = -1;

	if (kft_rundir_open(host, session, false, &dir, NULL) < 0)
		return;
	pid_t pid = kft_watch_lock_holder(&dir, &fd);
	/* The watcher may be waiting for the session's lock, which this process holds. */
	kft_rundir_close(&dir);
	if (pid && kill(pid, SIGTERM) == 0)
		(void)flock(fd, LOCK_EX);
}
