/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/vec.h"
#include "capture/host.h"
#include "capture/notify.h"
#include "tracefs/control/probe_group.h"
#include "tracefs/control/tracefs_dir.h"

/* The probes of a plan as events of the kernel (kprobetrace.rst, uprobetracer.rst). */

/* Each event is a directory in tracefs with a dozen files. */
#define KFT_PROBE_EVENTS_MAX	 512
#define KFT_PROBE_EVENT_NAME_MAX 64 /* MAX_EVENT_NAME_LEN of the kernel, with NUL */

struct kft_probe_event {
	char name[KFT_PROBE_EVENT_NAME_MAX];
	const char *filter; /* borrowed from the plan; NULL: none */
	bool stack; /* with the kernel's call stack */
};

struct kft_probe_events {
	char group[KFT_PROBE_GROUP_MAX];
	KFT_VEC(struct kft_probe_event) list;
};

/*
 * Makes the events. After a failure those that were made are removed with the instance.
 * -EINVAL and -ENOENT with the kernel's reason and the nearest names. notify (may be
 * NULL) reports the optional probes that cannot be made.
 *
 * ret NULL: nothing is made; programs, symbols and arguments are looked up, functions of
 * the kernel in its list of symbols. Errors that only the kernel detects are not noticed.
 */
int kft_probe_events_create(struct kft_host *host, const char *instance,
			    const struct kft_plan *plan, const struct kft_notify *notify,
			    struct kft_probe_events *ret, struct kft_err *e) __must_check;

/* Sets the filters and enables the events in the directory that the session records in. */
int kft_probe_events_enable(const struct kft_probe_events *p,
			    const struct kft_tracefs_dir *place,
			    struct kft_err *e) __must_check;
void kft_probe_events_finish(struct kft_probe_events *p);
