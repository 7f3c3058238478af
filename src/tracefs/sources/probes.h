/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "capture/detached.h"
#include "model/run_mark.h"
#include "tracefs/control/probe_group.h"
#include "tracefs/control/tracefs_dir.h"

/*
 * Triggers in the kernel that switch recording on or off at an event. For a function the
 * event is a kprobe at its entry or return. The start's trigger runs before its event is
 * recorded, the stop's (which has a filter for this reason alone) after it: so the trace
 * has both events, which show when and where they fired. The triggers also switch the
 * companion instance.
 *
 * The kprobe events are kft_XXXXXXXX:start and :stop; the group is a hash of the run's
 * name.
 */

/* True for a trigger that the kernel carries out: not for the user's commands and times. */
bool kft_probe_is_needed(const struct kft_plan_trigger *t);

/*
 * Makes the events that the plan's triggers need and arms the stop, which has no effect
 * before recording is on. -EINVAL with a hint for a function that cannot be probed,
 * -ENOENT for an event that does not exist.
 */
int kft_probes_prepare(const struct kft_tracefs_dir *p, const char *run_name,
		       const struct kft_plan *plan, struct kft_err *e) __must_check;

/*
 * Arms the start; recording may begin during the call. only_tasks: only the tasks that
 * the directory's events are limited to trigger it, and the trigger's own event is not
 * recorded.
 */
int kft_probes_arm(const struct kft_tracefs_dir *p, const char *run_name,
		   const struct kft_plan *plan, bool only_tasks,
		   struct kft_err *e) __must_check;

/* Removes a trigger, if it is there; its event is still recorded. */
int kft_probes_disarm(const struct kft_tracefs_dir *p, const char *run_name,
		      const struct kft_plan_trigger *t, const char *name) __must_check;

/* True when a trigger has fired; unknown, and so false, for one without a count (autorepeat). */
bool kft_probe_fired(const struct kft_tracefs_dir *p, const char *run_name,
		     const struct kft_plan_trigger *t, const char *name);

/*
 * True when a trigger's function is in a module that is not loaded now; ret is the
 * module's name. The kernel sets the probe again when the module is loaded. False when
 * nothing is known.
 */
bool kft_probe_lacks_module(const struct kft_host *host, const char *run_name,
			    const struct kft_plan_trigger *t, const char *name,
			    char ret[KFT_PROBE_MODULE_MAX]);
