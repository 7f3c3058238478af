/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "analysis/cut/cut.h"

/*
 * Where the run that a boot was to be begins and ends in what was recorded. Times count
 * as the kernel's clock does, from 0.
 *
 * A trigger at a function is where the trace has the function first: by the probe of the
 * trigger, by an initcall's event, or by a record of function_graph, whichever is there.
 * The call that stops belongs to the run.
 */
struct kft_cut_boot {
	struct kft_cut_window window;
	bool start_missing; /* the start trigger did not fire: all from the first record */
	bool stop_missing; /* the stop trigger did not: all to the last one */
	uint64_t last_ns; /* of the last record */
};

/* The trace's symbols have been asked for. -ENOMEM. */
int kft_cut_boot_find(struct kft_trace *t, const struct kft_plan *plan,
		      struct kft_cut_boot *ret, struct kft_err *e) __must_check;
