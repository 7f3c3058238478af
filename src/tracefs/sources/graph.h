/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/strbuf.h"
#include "tracefs/control/tracefs_dir.h"
#include "capture/session_state.h"

/*
 * Sets up the function_graph or function tracer for a plan, while recording is off: the
 * threshold before everything else (written later it filters nothing in an instance),
 * then functions by index, tasks, and the tracer last.
 *
 * Some settings are shared by the whole kernel even if instances have the tracer: the
 * threshold, whether calls in hard interrupts are left out, the depth, and the roots.
 * Sessions that need different values cannot run at the same time: each writes its
 * values, its claim, into its directory under /run/kft.
 */

/* The tracer's name in current_tracer. */
const char *kft_graph_tracer_name(enum kft_graph_tracer t);

/*
 * True when the plan chooses all functions and excludes none. No filter is set then: one
 * with every function would leave out those of modules that are loaded later, which a
 * tracer without a filter traces from their load on (ftrace_module_enable()).
 */
bool kft_graph_wants_all(const struct kft_plan_functions *f);

/*
 * Sets up the tracer. *place is an instance of the caller's, replaced by the top level if
 * instances cannot have the tracer; with fd -1 the run's own instance is made. After a
 * failure *place is closed, and the changes in the ledger have to be undone by the
 * caller. -EBUSY with the name of the session in the way.
 */
int kft_graph_set_up(const struct kft_rundir *dir, const struct kft_ledger *u,
		     const struct kft_plan *plan, struct kft_tracefs_dir *place,
		     struct kft_graph_setup *ret, struct kft_err *e) __must_check;

/*
 * Sets up the function tracer in an instance of the caller's. It has no settings that are
 * shared by the whole kernel, so nothing is claimed.
 */
int kft_graph_set_up_entries(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
			     struct kft_err *e) __must_check;

/* Gives up the claim. Call it after kft_ledger_undo(). */
void kft_graph_release(const struct kft_rundir *dir);
