/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_PROBE_EVENTS_H
#define KFT_TRACEFS_PROBE_EVENTS_H

#include <kft/plan.h>

#include "base/vec.h"
#include "capture/host.h"
#include "capture/notify.h"
#include "tracefs/control/place.h"

/*
 * The probes of a plan as events of the kernel (kprobetrace.rst, uprobetracer.rst). Their
 * group is the session's, by a hash of its instance's name, so that two sessions do not
 * meet, and whoever removes the instance, dead or alive, knows which events go with it.
 * That order is what keeps the kernel clean: the instance is made before the events and
 * removed after them. It is also there, and empty, when the session records at the top level.
 */
#define KFT_PROBE_EVENTS_GROUP_MAX 16
/* Each is a directory in tracefs with a dozen files. */
#define KFT_PROBE_EVENTS_MAX	 512
#define KFT_PROBE_EVENT_NAME_MAX 64 /* MAX_EVENT_NAME_LEN of the kernel, with NUL */

struct kft_probe_event {
	char name[KFT_PROBE_EVENT_NAME_MAX];
	const char *filter; /* borrowed from the plan; NULL: none */
	bool stack; /* with the kernel's call stack */
};

struct kft_probe_events {
	char group[KFT_PROBE_EVENTS_GROUP_MAX];
	KFT_VEC(struct kft_probe_event) list;
};

/*
 * Makes the events; on failure those that were made go with the instance. -EINVAL and
 * -ENOENT with what the kernel says of it and the nearest names. notify (NULL: nobody) is
 * told which optional ones cannot be.
 *
 * ret NULL: nothing is made; programs, symbols and arguments are looked up, functions of the kernel
 * in its list of symbols. What only the kernel would refuse is not noticed.
 */
int kft_probe_events_create(struct kft_host *host, const char *instance,
			    const struct kft_plan *plan, const struct kft_notify *notify,
			    struct kft_probe_events *ret, struct kft_err *e) __must_check;

/* Sets their filters and enables them where the session records. */
int kft_probe_events_enable(const struct kft_probe_events *p,
			    const struct kft_place *place,
			    struct kft_err *e) __must_check;
void kft_probe_events_finish(struct kft_probe_events *p);

/*
 * Removes what the session of an instance has made, whoever made it; instance_fd is its
 * directory. Nothing to be removed is no error.
 */
int kft_probe_events_remove(const struct kft_host *host, int instance_fd,
			    const char *instance) __must_check;

#endif
