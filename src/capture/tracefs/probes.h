/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_TRACEFS_PROBES_H
#define KFT_CAPTURE_TRACEFS_PROBES_H

#include <kft/plan.h>

#include "capture/tracefs/place.h"

/*
 * Triggers at functions, in the kernel: a kprobe event on the entry or the return of a
 * function, whose own trigger switches the place's recording on or off. The start's
 * trigger works before its event is recorded, the stop's (which has a filter for this
 * reason alone) after it: so both events stand in the trace and tell when and where they
 * fired.
 *
 * Events are kft_XXXXXXXX:start and :stop; the group is the run's, by a hash of its name.
 */
#define KFT_PROBE_START	    "start"
#define KFT_PROBE_STOP	    "stop"
#define KFT_PROBE_GROUP_MAX 16

void kft_probes_group(const char *run_name, char ret[KFT_PROBE_GROUP_MAX]);

/*
 * Makes what the plan's triggers need, the start's last: recording may begin within the
 * call. Nothing for triggers that are no functions. -EINVAL with a hint for a function
 * that cannot be probed.
 */
int kft_probes_arm(const struct kft_place *p, const char *run_name,
		   const struct kft_plan *plan, struct kft_err *e) __must_check;

/* Takes a trigger out, if it is there; its event goes on being recorded. */
int kft_probes_disarm(const struct kft_place *p, const char *run_name,
		      const char *event) __must_check;

/* Whether a trigger has fired; not to be told for one without a count (autorepeat). */
bool kft_probe_fired(const struct kft_place *p, const char *run_name, const char *event);

#endif
