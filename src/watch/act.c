// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prepares and carries out the actions of conditions. */
#include "watch/act.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/now.h"
#include "session/flight.h"
#include "tracefs/detached/switched.h"
#include "sets/choose.h"
#include "watch/cause.h"

/* A watcher has no terminal: the error is shown by status, and is a mark in the trace. */
static void note_trouble(struct kft_watch_done *w, const struct kft_detached *d,
			 const struct kft_err *e)
{
	(void)snprintf(w->trouble, sizeof(w->trouble), "%s", e->msg);
	if (d)
		kft_flight_mark(d, "kft: not done: ", e->msg);
}

/*
 * Restores the signals that kft ignores or blocks, as for a process started by a shell.
 */
static void reset_signals(void)
{
	static const int ignored[] = {SIGHUP, SIGPIPE, SIGXFSZ};
	sigset_t none;

	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		(void)signal(ignored[i], SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * Drops set-user-id rights; capabilities of kft's file are not inherited over execve(2).
 */
static bool drop_rights(void)
{
	return setregid(getgid(), getgid()) == 0 && setreuid(getuid(), getuid()) == 0;
}

static void become(const struct kft_watch_done *w, const char *command)
{
	reset_signals();
	(void)setenv("KFT_SESSION", w->session, 1);
	(void)setenv("KFT_SNAPSHOT", w->last_file, 1);
	if (!drop_rights())
		return;
	(void)!chdir(w->opts->dir);
	(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
}

/*
 * Starts a shell command in the directory of the snapshots, as the user that
 * requested it and with no more rights than that user has; kft does not wait for
 * its end. The environment has the session's name in KFT_SESSION and the last
 * snapshot's file in KFT_SNAPSHOT.
 */
static int execute(const struct kft_watch_done *w, const char *command, struct kft_err *e)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		/*
		 * Forks twice, so that init reaps the command: the
		 * watcher must not wait for it.
		 */
		pid = fork();
		if (pid == 0)
			become(w, command);
		_exit(pid < 0);
	}
	int r = pid < 0 ? -errno : 0;
	if (pid > 0 && waitpid(pid, &status, 0) < 0)
		r = -errno;
	if (r == 0 && status)
		r = -EAGAIN;
	return r < 0 ? kft_err_sys(e, r, "cannot execute '%.100s'", command) : 0;
}

static int check_limits(const struct kft_watch_done *w, struct kft_err *e)
{
	const struct kft_watch_opts *o = w->opts;

	if (o->max_files && w->files >= o->max_files)
		return kft_err_set(e, -EDQUOT, "no more snapshots: %llu were taken",
				   (unsigned long long)w->files);
	if (o->max_bytes && w->bytes >= o->max_bytes)
		return kft_err_set(e, -EDQUOT, "no more snapshots: they have %llu bytes",
				   (unsigned long long)w->bytes);
	return 0;
}

static int snapshot(struct kft_watch_done *w, struct kft_detached *d,
		    const struct kft_condition *c, const struct kft_seen *seen,
		    struct kft_err *e)
{
	struct kft_tracedat_recovered done = {};
	char text[KFT_WATCH_CAUSE_MAX];
	char file[PATH_MAX];
	int r = check_limits(w, e);

	if (r < 0)
		return r;
	kft_flight_make_dir(w->opts->dir);
	r = kft_flight_file(w->opts->dir, w->session, c->text, file, sizeof(file));
	if (r < 0)
		return kft_err_sys(e, r, "cannot name a snapshot in '%s'", w->opts->dir);
	kft_watch_cause(c, seen, text);
	r = kft_detached_snapshot(d, file, text, &done, e);
	if (r < 0)
		return r;
	w->files++;
	w->bytes += done.bytes;
	memcpy(w->last_file, file, sizeof(file));
	return 0;
}

static void mark(const struct kft_detached *d, const char *text,
		 const struct kft_seen *seen)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};

	kft_strbuf_addf(&name, "%s: ", text);
	kft_flight_mark(d, kft_strbuf_cstr(&name), seen->why);
}

static int act(struct kft_watch_done *w, struct kft_detached *d,
	       const struct kft_condition *c, const struct kft_action *a,
	       const struct kft_seen *seen, struct kft_err *e)
{
	switch (a->kind) {
	case KFT_ACTION_SNAPSHOT:
		return snapshot(w, d, c, seen, e);
	case KFT_ACTION_STOP:
		return kft_run_stop(&d->run, &d->plan, KFT_CAUSE_TRIGGER, kft_now_ns(),
				    e);
	case KFT_ACTION_PAUSE:
		return kft_run_pause(&d->run, &d->plan, KFT_CAUSE_TRIGGER, e);
	case KFT_ACTION_RESUME:
		return kft_run_resume(&d->run, KFT_CAUSE_TRIGGER, e);
	case KFT_ACTION_MARK:
		mark(d, a->text, seen);
		return 0;
	case KFT_ACTION_SET:
		return kft_run_switch(&d->run, a->set, a->text + 1, a->text[0] == '+', e);
	case KFT_ACTION_EXEC:
		return execute(w, a->text, e);
	}
	return 0;
}

/* Tries each action, even if an earlier one failed. */
int kft_watch_act(struct kft_watch_done *w, const struct kft_seen *seen)
{
	const struct kft_condition *c = &w->opts->conditions.data[seen->condition];
	struct kft_err err = {};
	struct kft_detached d;

	w->trouble[0] = '\0';
	if (kft_detached_open(w->session, NULL, &d, &err) < 0) {
		note_trouble(w, NULL, &err);
		return 1;
	}
	if (kft_detached_refresh(&d, &err) < 0)
		note_trouble(w, &d, &err);
	kft_vec_for_each(&c->actions, a) {
		err = (struct kft_err){};
		if (act(w, &d, c, a, seen, &err) < 0)
			note_trouble(w, &d, &err);
	}
	/*
	 * The records of a stopped session are drained at once, so that the
	 * kernel's buffers are freed.
	 */
	bool complete = kft_state_is_complete(d.run.rec.state);
	if (complete && kft_detached_refresh(&d, &err) < 0)
		note_trouble(w, NULL, &err);
	kft_detached_close(&d);
	return complete;
}

static int find_set(struct kft_action *a, struct kft_host *host,
		    const struct kft_notify *notify, struct kft_err *e)
{
	const char *const name[] = {a->text + 1};

	a->set = calloc(1, sizeof(*a->set));
	if (!a->set)
		return kft_err_memory(e);
	int r = kft_plan_add_sets(a->set, host, name, 1, notify, e);
	return r == 0 ? kft_switched_check(a->set, name[0], e) : r;
}

int kft_watch_find_sets(struct kft_condition *c, struct kft_host *host,
			const struct kft_notify *notify, struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i < c->actions.len && r == 0; i++)
		if (c->actions.data[i].kind == KFT_ACTION_SET)
			r = find_set(&c->actions.data[i], host, notify, e);
	return r;
}
