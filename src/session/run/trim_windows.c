// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the times at which a run was on. */
#include "session/run/trim_windows.h"

#include <errno.h>

static int push(struct kft_trim_windows *w, const struct kft_trim_window *window)
{
	w->is_open = true;
	return kft_vec_push(&w->trim->windows, *window) ? 0 : -ENOMEM;
}

int kft_trim_windows_open(struct kft_trim_windows *w, uint64_t start_ns,
			  enum kft_run_cause cause)
{
	struct kft_trim_window window = {
		.start_ns = start_ns, .stop_ns = UINT64_MAX, .started = cause};
	const struct kft_plan_trigger *stop = &w->plan->stop;

	if (stop->kind == KFT_TRIGGER_TIME &&
	    kft_add(start_ns, stop->time_ns, &window.stop_ns))
		window.stop_ns = UINT64_MAX;
	if (start_ns > w->limit.ns) {
		w->is_over = true;
		return 0;
	}
	return kft_trim_windows_open_given(w, window);
}

int kft_trim_windows_open_given(struct kft_trim_windows *w, struct kft_trim_window given)
{
	if (w->limit.ns < given.stop_ns) {
		given.stop_ns = w->limit.ns;
		given.stopped = w->limit.cause;
	}
	return push(w, &given);
}

/*
 * A start whose own record is gone was no later than it was noticed, and no later than the
 * first record that is left. Only before a time is recording on without being meant.
 */
static uint64_t start_without_record(const struct kft_run_record *rec, uint64_t first_ns)
{
	if (rec->started == KFT_CAUSE_TIME)
		return KFT_MAX(first_ns, rec->start_ns);
	return rec->start_ns ? KFT_MIN(first_ns, rec->start_ns) : first_ns;
}

/*
 * Its own start may have been overwritten, or taken. At an event it leaves none: the run
 * began with the first record, because recording was off before.
 */
int kft_trim_windows_open_without_start(struct kft_trim_windows *w,
					const struct kft_run_record *rec,
					uint64_t first_ns)
{
	bool is_at_event = w->plan->start.kind == KFT_TRIGGER_EVENT &&
			   rec->started == KFT_CAUSE_TRIGGER;

	if (is_at_event)
		return kft_trim_windows_open(w, first_ns, rec->started);
	if (!(w->plan->overwrite || w->trim->start_missing) ||
	    rec->started == KFT_CAUSE_NONE)
		return 0;
	return kft_trim_windows_open(w, start_without_record(rec, first_ns),
				     rec->started);
}

void kft_trim_windows_close(struct kft_trim_windows *w, uint64_t stop_ns,
			    enum kft_run_cause cause)
{
	struct kft_trim_window *last = kft_trim_windows_last(w);

	last->stop_ns = KFT_MIN(last->stop_ns, stop_ns);
	last->stopped = cause;
	w->is_open = false;
	w->is_over = !w->plan->autorepeat;
}

bool kft_trim_windows_pass(struct kft_trim_windows *w, uint64_t ts)
{
	const struct kft_trim_window *last = w->is_open ? kft_trim_windows_last(w) : NULL;

	if (!last || ts <= last->stop_ns)
		return false;
	enum kft_run_cause cause = last->stopped;
	kft_trim_windows_close(w, last->stop_ns,
			       cause != KFT_CAUSE_NONE ? cause : KFT_CAUSE_TIME);
	w->is_over |= cause == KFT_CAUSE_FULL || cause == KFT_CAUSE_ENTRIES;
	return true;
}

/* The window ends, but not the run: its end may be known already. */
static void pause_run(struct kft_trim_windows *w, uint64_t ts, enum kft_run_cause cause)
{
	w->resumed = *kft_trim_windows_last(w);
	kft_trim_windows_close(w, ts, cause);
	w->is_over = false;
	w->is_paused = true;
}

static int resume_run(struct kft_trim_windows *w, uint64_t ts, enum kft_run_cause cause)
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
static uint64_t stop_of(struct kft_trim_windows *w, uint64_t ts,
			const struct kft_trim_mark *mark)
{
	return mark->cause == KFT_CAUSE_TIME &&
			       mark->ns > kft_trim_windows_last(w)->start_ns
		       ? mark->ns
		       : ts;
}

int kft_trim_windows_mark(struct kft_trim_windows *w, uint64_t ts,
			  const struct kft_trim_mark *mark)
{
	switch (mark->kind) {
	case KFT_TRIM_MARK_NONE:
		return 0;
	case KFT_TRIM_MARK_START:
		/* A start at a time is switched on before it; one by hand is told too early. */
		return w->is_open || w->is_over
			       ? 0
			       : kft_trim_windows_open(w, KFT_MAX(mark->ns, ts),
						       mark->cause);
	case KFT_TRIM_MARK_STOP:
		if (w->is_open)
			kft_trim_windows_close(w, stop_of(w, ts, mark), mark->cause);
		return 0;
	case KFT_TRIM_MARK_PAUSE:
		if (w->is_open)
			pause_run(w, ts, mark->cause);
		return 0;
	case KFT_TRIM_MARK_RESUME:
		return w->is_paused ? resume_run(w, ts, mark->cause) : 0;
	}
	return 0;
}
