/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_BOOT_WINDOW_H
#define KFT_SESSION_BOOT_WINDOW_H

#include <kft/plan.h>

#include "session/run/trim.h"

/*
 * Where the run that a boot was to be begins and ends in what was recorded. Times count
 * as the kernel's clock does, from 0.
 *
 * A trigger at a function is where the trace has the function first: by the probe of the
 * trigger, by an initcall's event, or by a record of function_graph, whichever is there.
 * The call that stops belongs to the run.
 */
struct kft_boot_window {
	struct kft_trim_window window;
	bool start_missing; /* the start trigger did not fire: all from the first record */
	bool stop_missing; /* the stop trigger did not: all to the last one */
	uint64_t last_ns; /* of the last record */
};

/* -ENOMEM. */
int kft_boot_window_find(struct kft_trace *t, const struct kft_plan *plan,
			 struct kft_boot_window *ret, struct kft_err *e) __must_check;

#endif
