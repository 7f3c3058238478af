/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_PROBES_H
#define KFT_TRACEFS_PROBES_H

#include <kft/plan.h>

#include "tracefs/control/place.h"

/*
 * Triggers in the kernel: those of an event, which switch the place's recording on or off.
 * For a function that is a kprobe event on its entry or return. The start's
 * trigger works before its event is recorded, the stop's (which has a filter for this
 * reason alone) after it: so both events stand in the trace and tell when and where they
 * fired. They switch what is beside the place, too.
 *
 * kprobe events are kft_XXXXXXXX:start and :stop; the group is the run's, by a hash of its
 * name.
 */
#define KFT_PROBE_START	    "start"
#define KFT_PROBE_STOP	    "stop"
#define KFT_PROBE_GROUP_MAX 16
/* The kernel's limit of 64 bytes less two pointers, with the NUL. */
#define KFT_PROBE_MODULE_MAX 64

void kft_probes_group(const char *run_name, char ret[KFT_PROBE_GROUP_MAX]);

/* Triggers that the kernel carries out; the user and times are not its business. */
bool kft_probe_is_needed(const struct kft_plan_trigger *t);

/*
 * Makes what the plan's triggers need and arms the stop, which does nothing before
 * recording is on. -EINVAL with a hint for a function that cannot be probed, -ENOENT for an
 * event that is not there.
 */
int kft_probes_prepare(const struct kft_place *p, const char *run_name,
		       const struct kft_plan *plan, struct kft_err *e) __must_check;

/*
 * Arms the start: recording may begin within the call. only_tasks: only when one of the
 * tasks does it that the place's events are of; its own event is not recorded then.
 */
int kft_probes_arm(const struct kft_place *p, const char *run_name,
		   const struct kft_plan *plan, bool only_tasks,
		   struct kft_err *e) __must_check;

/* Takes a trigger out, if it is there; its event goes on being recorded. */
int kft_probes_disarm(const struct kft_place *p, const char *run_name,
		      const struct kft_plan_trigger *t, const char *name) __must_check;

/* Whether a trigger has fired; not to be told for one without a count (autorepeat). */
bool kft_probe_fired(const struct kft_place *p, const char *run_name,
		     const struct kft_plan_trigger *t, const char *name);

/*
 * Whether the function of a trigger is of a module that is not loaded now, and its name
 * The kernel puts the probe in again when it is loaded. False where nothing is known.
 */
bool kft_probe_lacks_module(const struct kft_host *host, const char *run_name,
			    const struct kft_plan_trigger *t, const char *name,
			    char ret[KFT_PROBE_MODULE_MAX]);

#endif
