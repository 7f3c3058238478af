/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_TRIGGERS_H
#define KFT_SESSION_RUN_TRIGGERS_H

#include <kft/plan.h>

#include "capture/rundir.h"

/*
 * The start and the stop of a detached recording, which has no configuration that says them:
 * the files "start" and "stop" of its directory, for the commands that drive it later. The
 * first line of each is its kind and what it is at, the rest an event's filter:
 * "enter vfs_read", "exit 0xADDRESS", "time NANOSECONDS", "event SYSTEM:EVENT".
 */

/* Replaces what an earlier recording of that name left. */
int kft_run_triggers_write(const struct kft_rundir *d, const struct kft_plan *plan,
			   struct kft_err *e) __must_check;

/* Adds them to a plan that has none; -EINVAL for what kft did not write. */
int kft_run_triggers_read(const struct kft_rundir *d, struct kft_plan *plan,
			  struct kft_err *e) __must_check;

#endif
