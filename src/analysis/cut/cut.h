/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "model/run_mark.h"
#include "model/sink.h"
#include "model/trace.h"

/*
 * What belongs to a run, of all that the kernel recorded for it: calls that were entered
 * between the exact times of the start and the stop, and pass those filters which the
 * kernel does not have. The kernel's own part (threshold, functions) has happened before
 * and is not counted.
 *
 * A call is judged by its exit, which tells when it was entered. The call that fired the
 * start trigger belongs to the run although its entry may be earlier than the trigger's
 * record. Calls that were under way at the stop are kept. Filters of durations judge the
 * whole duration of a call, and let a call pass whose exit was not recorded.
 *
 * With logentries the run is over when one call more than that is entered.
 */
enum kft_verdict {
	KFT_VERDICT_CALL, /* kept: the exit of a call */
	KFT_VERDICT_LATE, /* kept: the exit, after the stop, of a call that was under way */
	KFT_VERDICT_ENTRY, /* kept: the entry of a kept call */
	KFT_VERDICT_OPEN, /* kept: the entry of a call without an exit */
	KFT_VERDICT_MARK, /* kept: what started or stopped, and other events */
	KFT_VERDICT_OUTSIDE, /* not between start and stop */
	KFT_VERDICT_EARLIER, /* the exit, in the run, of a call that was entered before */
	KFT_VERDICT_SHORT, /* shorter than mintime */
	KFT_VERDICT_LONG, /* longer than maxtime */
	KFT_VERDICT_INTERRUPT, /* made in an interrupt, with noints */
	KFT_VERDICT_NO_INTERRUPT, /* not made in one, with onlyints */
	KFT_VERDICT_TASK, /* of another task */
	KFT_VERDICT_BEYOND, /* a call more than logentries */
	KFT_VERDICT_HALF, /* the entry of a call that is dropped */
	KFT_VERDICT_COUNT,
};

static inline bool kft_verdict_keeps(uint8_t verdict)
{
	return verdict <= KFT_VERDICT_MARK;
}

struct kft_cut_window {
	uint64_t start_ns; /* on the clock of the records */
	uint64_t stop_ns; /* UINT64_MAX: the end of the trace */
	enum kft_run_cause started;
	enum kft_run_cause stopped; /* NONE: when the trace ended */
};

struct kft_cut {
	KFT_VEC(uint8_t)
	verdicts; /* enum kft_verdict of each event, in the trace's order */
	KFT_VEC(struct kft_cut_window) windows; /* more than one with autorepeat */
	uint64_t counts[KFT_VERDICT_COUNT];
	KFT_VEC(uint64_t) events; /* of each CPU, by its number */
	/*
	 * Events that were read out of the kernel's buffers and are not in the trace, which
	 * has all that was taken for the run: another program has them.
	 */
	uint64_t taken;
	/* The run had started, but what says so is gone: another program emptied a buffer. */
	bool start_missing;
	/* Calls in the run that the kernel's return stacks had no room for: not recorded. */
	uint64_t too_deep;
};

struct kft_cut_opts {
	const struct kft_plan *plan; /* borrowed for the call */
	/* Why the run started and stopped, and when (0: not known), as its session noticed. */
	enum kft_run_cause started;
	enum kft_run_cause stopped;
	uint64_t start_ns;
	bool tasks_filtered; /* the kernel recorded the plan's pids alone */
	/* Of the events of the run's triggers; NULL: they are records as any other. */
	const char *probe_group;
	/* The run's only window, when the records alone do not tell; NULL: they do. */
	const struct kft_cut_window *window;
};

/*
 * Judges every event of the trace's main buffer. The trace's tasks have been asked for if the
 * plan names any, and its symbols if the plan has a context. -ENOMEM, -EFBIG.
 */
int kft_cut_decide(struct kft_trace *t, const struct kft_cut_opts *opts,
		   struct kft_cut *ret, struct kft_err *e) __must_check;
void kft_cut_finish(struct kft_cut *cut);

/* Writes what is kept, in new pages, with the trace's metadata. The sink is ended. */
int kft_cut_write(struct kft_trace *t, const struct kft_cut *cut, struct kft_sink *sink,
		  struct kft_err *e) __must_check;
