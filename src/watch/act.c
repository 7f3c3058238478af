// SPDX-License-Identifier: LGPL-2.1-or-later
/* Carries out the actions of a condition that was met. */
#include "watch/act.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/now.h"
#include "session/run/switched.h"
#include "session/flight.h"
#include "watch/cause.h"
#include "watch/execute.h"

/* A watcher has no terminal: the error is shown by status, and is a mark in the trace. */
static void note_trouble(struct kft_watch_done *w, const struct kft_detached *d,
			 const struct kft_err *e)
{
	(void)snprintf(w->trouble, sizeof(w->trouble), "%s", e->msg);
	if (d)
		kft_flight_mark(d, "kft: not done: ", e->msg);
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
		return kft_watch_execute(w, a->text, e);
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
