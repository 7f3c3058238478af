/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "capture/rundir.h"

/*
 * Stores the start and the stop of a detached recording, which has no configuration, for
 * later commands: in the files "start" and "stop" of its directory. The first line of a
 * file is the trigger's kind and its function, time or event, the rest is the event's
 * filter: "enter vfs_read", "exit 0xADDRESS", "time NANOSECONDS", "event SYSTEM:EVENT".
 */

/* Replaces the files of an earlier recording of that name. */
int kft_run_triggers_write(const struct kft_rundir *d, const struct kft_plan *plan,
			   struct kft_err *e) __must_check;

/* Adds the triggers to a plan that has none; -EINVAL for a file that kft cannot parse. */
int kft_run_triggers_read(const struct kft_rundir *d, struct kft_plan *plan,
			  struct kft_err *e) __must_check;
