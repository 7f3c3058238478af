/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_STEPS_H
#define KFT_SESSION_RUN_STEPS_H

#include "session/run/run.h"

/* What the steps of a run (run.c) are made of. */

/* Writes the run's record, as all do who changed it. */
int kft_run_save(struct kft_run *r, struct kft_err *e) __must_check;

/* Notes which boot of the machine the run is set up in. */
int kft_run_note_boot(const struct kft_run *r, struct kft_err *e) __must_check;

/* What the run has in the kernel, if it is still there: set_up.c made it. */
int kft_run_open_place(struct kft_run *r, struct kft_err *e) __must_check;

/* Makes all that the plan wants in the kernel, or nothing; without the start's trigger. */
int kft_run_set_up(struct kft_run *r, const struct kft_plan *plan, bool arm_start,
		   struct kft_err *e) __must_check;

/* Not when it was, which the records tell, but no earlier. 0: waiting (again). */
int kft_run_note_start(struct kft_run *r, uint64_t start_ns,
		       struct kft_err *e) __must_check;

#endif
