// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the times at which a run was on. */
#include "analysis/cut/windows.h"

#include <errno.h>

static int push(struct kft_cut_windows *w, const struct kft_cut_window *window)
{
	w->is_open = true;
	return kft_vec_push(&w->cut->windows, *window) ? 0 : -ENOMEM;
}

int kft_cut_windows_open(struct kft_cut_windows *w, uint64_t start_ns,
			 enum kft_run_cause cause)
{
	struct kft_cut_window window = {
		.start_ns = start_ns, .stop_ns = UINT64_MAX, .started = cause};
	const struct kft_plan_trigger *stop = &w->plan->stop;

	if (stop->kind == KFT_TRIGGER_TIME &&
	    kft_add(start_ns, stop->time_ns, &window.stop_ns))
		window.stop_ns = UINT64_MAX;
	if (start_ns > w->limit.ns) {
		w->is_over = true;
		return 0;
	}
	return kft_cut_windows_open_given(w, window);
}

int kft_cut_windows_open_given(struct kft_cut_windows *w, struct kft_cut_window given)
{
	if (w->limit.ns < given.stop_ns) {
		given.stop_ns = w->limit.ns;
		given.stopped = w->limit.cause;
	}
	return push(w, &given);
}

/*
 * A start without a record was no later than the session noticed it, and no later than the
 * first record that is left. Before a start at a time, recording is on already.
 */
static uint64_t start_without_record(const struct kft_cut_opts *opts, uint64_t first_ns)
{
	if (opts->started == KFT_CAUSE_TIME)
		return KFT_MAX(first_ns, opts->start_ns);
	return opts->start_ns ? KFT_MIN(first_ns, opts->start_ns) : first_ns;
}

/*
 * Its own start may have been overwritten, or taken. At an event it leaves none: the run
 * began with the first record, because recording was off before.
 */
int kft_cut_windows_open_without_start(struct kft_cut_windows *w,
				       const struct kft_cut_opts *opts, uint64_t first_ns)
{
	bool is_at_event = w->plan->start.kind == KFT_TRIGGER_EVENT &&
			   opts->started == KFT_CAUSE_TRIGGER;

	if (is_at_event)
		return kft_cut_windows_open(w, first_ns, opts->started);
	if (!(w->plan->overwrite || w->cut->start_missing) ||
	    opts->started == KFT_CAUSE_NONE)
		return 0;
	return kft_cut_windows_open(w, start_without_record(opts, first_ns),
				    opts->started);
}

void kft_cut_windows_close(struct kft_cut_windows *w, uint64_t stop_ns,
			   enum kft_run_cause cause)
{
	struct kft_cut_window *last = kft_cut_windows_last(w);

	last->stop_ns = KFT_MIN(last->stop_ns, stop_ns);
	last->stopped = cause;
	w->is_open = false;
	w->is_over = !w->plan->autorepeat;
}

bool kft_cut_windows_pass(struct kft_cut_windows *w, uint64_t ts)
{
	const struct kft_cut_window *last = w->is_open ? kft_cut_windows_last(w) : NULL;

	if (!last || ts <= last->stop_ns)
		return false;
	enum kft_run_cause cause = last->stopped;
	kft_cut_windows_close(w, last->stop_ns,
			      cause != KFT_CAUSE_NONE ? cause : KFT_CAUSE_TIME);
	w->is_over |= cause == KFT_CAUSE_FULL || cause == KFT_CAUSE_ENTRIES;
	return true;
}

/* The window ends, but not the run: its end may be known already. */
static void pause_run(struct kft_cut_windows *w, uint64_t ts, enum kft_run_cause cause)
{
	w->resumed = *kft_cut_windows_last(w);
	kft_cut_windows_close(w, ts, cause);
	w->is_over = false;
	w->is_paused = true;
}

static int resume_run(struct kft_cut_windows *w, uint64_t ts, enum kft_run_cause cause)
{
	w->is_paused = false;
	if (ts > w->resumed.stop_ns)
		return 0;
	w->resumed.start_ns = ts;
	w->resumed.started = cause;
	return push(w, &w->resumed);
}

/*
 * A stop at a time is noticed after it. With autorepeat another start may have come before
 * recording was switched off: that window ends here.
 */
static uint64_t stop_of(struct kft_cut_windows *w, uint64_t ts,
			const struct kft_cut_mark *mark)
{
	return mark->cause == KFT_CAUSE_TIME &&
			       mark->ns > kft_cut_windows_last(w)->start_ns
		       ? mark->ns
		       : ts;
}

int kft_cut_windows_mark(struct kft_cut_windows *w, uint64_t ts,
			 const struct kft_cut_mark *mark)
{
	switch (mark->kind) {
	case KFT_CUT_MARK_NONE:
		return 0;
	case KFT_CUT_MARK_START:
		/* Recording is on before a start at a time; a start by hand notes its time early. */
		return w->is_open || w->is_over
			       ? 0
			       : kft_cut_windows_open(w, KFT_MAX(mark->ns, ts),
						      mark->cause);
	case KFT_CUT_MARK_STOP:
		if (w->is_open)
			kft_cut_windows_close(w, stop_of(w, ts, mark), mark->cause);
		return 0;
	case KFT_CUT_MARK_PAUSE:
		if (w->is_open)
			pause_run(w, ts, mark->cause);
		return 0;
	case KFT_CUT_MARK_RESUME:
		return w->is_paused ? resume_run(w, ts, mark->cause) : 0;
	}
	return 0;
}
