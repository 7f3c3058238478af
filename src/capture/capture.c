// SPDX-License-Identifier: LGPL-2.1-or-later
/* Drives backends through the life cycle of a recording. */
#include "capture/capture.h"

#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "capture/caps.h"
#include "capture/control.h"
#include "capture/group.h"
#include "capture/notify.h"
#include "capture/state.h"

#define TICK_MS 1000
/* Interval of checks for start and stop triggers. The kernel itself acts on them at once. */
#define LOOK_MS 20

struct kft_capture {
	struct kft_group group;
	struct kft_notify notify;
	int control_fd; /* owned: requests of other processes; -1: not available */
	bool drop_privileges;
	int sink_dirfd; /* borrowed until armed; -1: none */
	enum kft_state state;
	uint64_t start_ns;
	uint64_t stop_ns; /* 0 while it records */
	unsigned int tick_ms;
	uint64_t tick_ns; /* time of the backends' last tick */
};

/* Returns the state after the step, or -EINVAL, also for a step that was taken before. */
static int check_step(const struct kft_capture *s, enum kft_step step, struct kft_err *e)
{
	int next = kft_state_after(s->state, step, NULL, e);

	if (next >= 0 && next == (int)s->state)
		return kft_err_set(e, -EINVAL, "the session is %s already",
				   kft_state_name(s->state));
	return next;
}

/* Enters the state after a step, or the failed state if the step returned an error. */
static int enter(struct kft_capture *s, int state, int r)
{
	s->state = r < 0 ? KFT_STATE_FAILED : (enum kft_state)state;
	return r;
}

int kft_capture_create(struct kft_host *host, const struct kft_plan *plan,
		       struct kft_sink *sink, const struct kft_capture_opts *opts,
		       struct kft_capture **ret, struct kft_err *e)
{
	struct kft_capture *s = calloc(1, sizeof(*s));

	if (!s)
		return kft_err_sys(e, -ENOMEM, "cannot open a session");
	struct kft_backend_opts o = {
		.host = host,
		.plan = plan,
		.sink = sink,
		.command_line = opts->command_line,
		.notify = opts->notify,
	};
	s->notify = opts->notify;
	s->group.notify = &s->notify;
	s->control_fd = -1;
	s->drop_privileges = opts->drop_privileges;
	s->tick_ms = plan->start.kind == KFT_TRIGGER_NONE &&
				     plan->stop.kind == KFT_TRIGGER_NONE
			     ? TICK_MS
			     : LOOK_MS;
	s->sink_dirfd = opts->sink_dirfd;
	int r = kft_group_open(&s->group, &o, e);
	if (r < 0) {
		free(s);
		return r;
	}
	*ret = s;
	return 0;
}

static int drop_privileges(const struct kft_capture *s, struct kft_err *e)
{
	struct rlimit nice = {
		.rlim_cur = 20 - KFT_BACKEND_NICE_MIN,
		.rlim_max = 20 - KFT_BACKEND_NICE_MIN,
	};
	int dirfds[KFT_BACKENDS_MAX + 1];
	size_t n = kft_group_work_dirfds(&s->group, dirfds);
	uint32_t keep = 0;

	/* Draining threads raise their priority: by the rlimit, or else by CAP_SYS_NICE. */
	if (setrlimit(RLIMIT_NICE, &nice) < 0)
		keep = 1U << CAP_SYS_NICE;
	if (s->sink_dirfd >= 0)
		dirfds[n++] = s->sink_dirfd;
	return kft_caps_drop(keep, dirfds, n, e);
}

int kft_capture_arm(struct kft_capture *s, struct kft_err *e)
{
	int next = check_step(s, KFT_STEP_PRIME, e);

	if (next < 0)
		return next;
	int r = kft_group_arm(&s->group, e);
	int dir_fd = r < 0 ? -1 : kft_group_session_dirfd(&s->group);
	if (dir_fd >= 0)
		s->control_fd = kft_control_listen(dir_fd);
	if (r == 0 && s->drop_privileges)
		r = drop_privileges(s, e);
	return enter(s, next, r);
}

int kft_capture_start(struct kft_capture *s, struct kft_err *e)
{
	if (s->state == KFT_STATE_LOADED)
		return kft_err_set(e, -EINVAL, "the session was not primed");
	int next = check_step(s, KFT_STEP_START, e);
	if (next < 0)
		return next;
	s->start_ns = s->tick_ns = kft_now_ns();
	return enter(s, next, kft_group_start(&s->group, e));
}

/* Milliseconds until the deadline, rounded up, at most tick_ms; forever: tick_ms. */
static int left_ms(const struct kft_capture *s, uint64_t deadline_ns, bool forever)
{
	uint64_t now = kft_now_ns();

	if (forever)
		return (int)s->tick_ms;
	if (now >= deadline_ns)
		return 0;
	return KFT_MIN((deadline_ns - now + 999999) / 1000000, (uint64_t)s->tick_ms);
}

/* Runs the backends' ticks at most once per tick_ms, however often poll() returns. */
static int tick(struct kft_capture *s, struct kft_err *e)
{
	uint64_t now = kft_now_ns();

	if (now - s->tick_ns < (uint64_t)s->tick_ms * 1000000)
		return 0;
	s->tick_ns = now;
	return kft_group_tick(&s->group, e);
}

static bool is_over(const struct kft_capture *s)
{
	struct kft_progress p = {};

	kft_group_progress(&s->group, &p);
	return p.over;
}

static int carry_out(void *arg, enum kft_control request, struct kft_err *e)
{
	struct kft_capture *s = arg;
	bool paused = request == KFT_CONTROL_PAUSE;
	enum kft_state before = s->state;
	int r = kft_capture_pause(s, paused, e);

	if (r == 0 && s->state != before)
		kft_notify(&s->notify,
			   paused ? "paused by 'kft pause'; 'kft resume' goes on"
				  : "resumed by 'kft resume'");
	return r;
}

/* Polls the caller's descriptors and those of the session. Returns the former's number. */
static int poll_all(struct kft_capture *s, struct pollfd *fds, size_t n, int ms,
		    struct kft_err *e)
{
	struct pollfd all[KFT_SESSION_WAIT_MAX + KFT_BACKENDS_MAX + 1];

	if (n)
		memcpy(all, fds, n * sizeof(*fds));
	struct pollfd *failed = &all[n];
	size_t n_failed = kft_group_pollfds(&s->group, failed);
	struct pollfd *control = &failed[n_failed];
	*control = (struct pollfd){.fd = s->control_fd, .events = POLLIN};
	int r = poll(all, n + n_failed + 1, ms);
	if (r < 0)
		return kft_err_sys(e, -errno, "cannot wait");
	for (size_t i = 0; i < n_failed; i++)
		if (failed[i].revents)
			return kft_err_set(e, -EIO, "the recording cannot go on");
	if (n)
		memcpy(fds, all, n * sizeof(*fds));
	if (!control->revents)
		return r;
	kft_control_serve(s->control_fd, carry_out, s);
	return r - 1;
}

int kft_capture_wait(struct kft_capture *s, struct pollfd *fds, size_t n, int timeout_ms,
		     struct kft_err *e)
{
	bool forever = timeout_ms < 0;
	uint64_t deadline = kft_now_ns() + (forever ? 0 : (uint64_t)timeout_ms * 1000000);
	int r = 0;

	if (s->state != KFT_STATE_RECORDING && s->state != KFT_STATE_PAUSED)
		return kft_err_set(e, -EINVAL, "the session is %s",
				   kft_state_name(s->state));
	if (n > KFT_SESSION_WAIT_MAX)
		return kft_err_set(e, -E2BIG, "too many descriptors to wait for");
	for (;;) {
		r = poll_all(s, fds, n, left_ms(s, deadline, forever), e);
		if (r < 0)
			return r;
		int ticked = tick(s, e);
		if (ticked < 0)
			return ticked;
		if (r > 0)
			return r;
		if ((!forever && kft_now_ns() >= deadline) || is_over(s))
			return 0;
	}
}

int kft_capture_pause(struct kft_capture *s, bool paused, struct kft_err *e)
{
	int next = kft_state_after(s->state, paused ? KFT_STEP_PAUSE : KFT_STEP_RESUME,
				   NULL, e);

	if (next < 0 || next == (int)s->state)
		return KFT_MIN(next, 0);
	int r = kft_group_pause(&s->group, paused, e);
	/* If pausing fails, the session goes on in its old state. */
	if (r == 0)
		s->state = (enum kft_state)next;
	return r;
}

int kft_capture_stop(struct kft_capture *s, struct kft_err *e)
{
	/* An attached session can be stopped only after its start. */
	if (s->state == KFT_STATE_PRIMED)
		return kft_err_set(e, -EINVAL, "the session has not started");
	int next = check_step(s, KFT_STEP_STOP, e);
	if (next < 0)
		return next;
	s->stop_ns = kft_now_ns();
	return enter(s, next, kft_group_stop(&s->group, e));
}

void kft_capture_progress(const struct kft_capture *s, struct kft_progress *ret)
{
	struct kft_progress p = {};

	kft_group_progress(&s->group, &p);
	if (s->start_ns)
		p.elapsed_ns = (s->stop_ns ? s->stop_ns : kft_now_ns()) - s->start_ns;
	*ret = p;
}

int kft_capture_close(struct kft_capture *s, struct kft_err *e)
{
	if (!s)
		return 0;
	kft_closep(&s->control_fd);
	int r = kft_group_close(&s->group, e);
	free(s);
	return r;
}
