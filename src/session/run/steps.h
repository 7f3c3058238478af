/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/detached.h"

/* Functions that the files of a run share: run.c, set_up.c and refresh.c. */

/* Writes r->rec to the run's directory. Every change of r->rec needs it. */
int kft_run_save(struct kft_run *r, struct kft_err *e) __must_check;

/* Notes the machine's current boot, in which the run is set up. */
int kft_run_note_boot(const struct kft_run *r, struct kft_err *e) __must_check;

/* Opens the buffers that kft_run_set_up() has made, if they are still there. */
int kft_run_open_place(struct kft_run *r, struct kft_err *e) __must_check;

/* Sets up all of the plan in the kernel, or nothing. arm_start: with the start's trigger. */
int kft_run_set_up(struct kft_run *r, const struct kft_plan *plan, bool arm_start,
		   struct kft_err *e) __must_check;

/*
 * Notes that the run has started, at start_ns at the latest: the records have the exact
 * time. start_ns 0: the run waits for its start (again).
 */
int kft_run_note_start(struct kft_run *r, uint64_t start_ns,
		       struct kft_err *e) __must_check;
