/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_GRAPH_H
#define KFT_TRACEFS_GRAPH_H

#include <kft/plan.h>

#include "base/strbuf.h"
#include "tracefs/control/place.h"
#include "capture/rundir.h"

/*
 * The function_graph tracer, or that of entries, set up for a plan: threshold before everything else (written
 * later it filters nothing in an instance), then functions by index, tasks, and the tracer
 * last, with recording switched off.
 *
 * Some things are one for the whole kernel even where instances have the tracer: the
 * threshold, whether calls in hard interrupts are left out, the depth, and the roots.
 * Sessions that disagree about them cannot be at once: each says in its directory under
 * /run/kft what it holds (its claim).
 */
#define KFT_GRAPH_TRACER "function_graph"
#define KFT_ENTRY_TRACER "function"

enum kft_graph_tracer {
	KFT_TRACER_NONE, /* only events */
	KFT_TRACER_CALLS,
	KFT_TRACER_ENTRIES,
};

/* As current_tracer has it. */
const char *kft_graph_tracer_name(enum kft_graph_tracer t);

/* What was put into the kernel, and what is left to do when the records are read. */
struct kft_graph_setup {
	enum kft_graph_tracer tracer;
	bool top; /* at the top level of tracefs */
	uint64_t thresh_us; /* tracing_thresh; 0: every call is recorded */
	bool skips_irqs; /* calls in hard interrupts are not recorded */
	bool functions_filtered; /* by set_ftrace_filter and set_ftrace_notrace */
	bool tasks_filtered; /* by set_ftrace_pid */
};

/*
 * Whether the plan chooses all functions and excludes none. A filter with every one of them would leave out those of
 * modules that are loaded later, which a tracer without a filter traces from their load on
 * (ftrace_module_enable()).
 */
bool kft_graph_wants_all(const struct kft_plan_functions *f);

/*
 * Sets all of it up. *place is an instance of the caller's, which is replaced by the top
 * level where instances cannot have the tracer; with fd -1 a run's own instance is made.
 * On failure it is closed, and what was done is noted and has to be undone. -EBUSY with
 * who is in the way.
 */
int kft_graph_set_up(const struct kft_rundir *dir, const struct kft_ledger *u,
		     const struct kft_plan *plan, struct kft_place *place,
		     struct kft_graph_setup *ret, struct kft_err *e) __must_check;

/*
 * The tracer of entries in an instance of the caller's, where nothing is one for the whole
 * kernel, so that there is nothing to be claimed.
 */
int kft_graph_set_up_entries(const struct kft_place *p, const struct kft_plan *plan,
			     struct kft_err *e) __must_check;

/* After kft_ledger_undo(): others may have what was claimed. */
void kft_graph_release(const struct kft_rundir *dir);

#endif
