/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_ENTRIES_H
#define KFT_TRACEFS_ENTRIES_H

#include <kft/plan.h>

#include "tracefs/control/place.h"

/*
 * Records entries of functions (the plan's `entered`) beside their calls. A tracefs instance
 * has one tracer, so they have an instance of their own, the place beside that of the session
 * and called as that is, with this suffix. It has the plan's clock, tasks and size of buffers.
 */
#define KFT_ENTRIES_SUFFIX "+entries" /* session names have no '+' */

static inline bool kft_entries_are_wanted(const struct kft_plan *plan)
{
	return plan->functions.entered.len > 0;
}

/* Sets everything up; nothing is recorded yet. */
int kft_entries_set_up(const struct kft_place *p, const struct kft_plan *plan,
		       struct kft_err *e) __must_check;

/* Of a session that outlives its processes: makes the instance beside its place, too. */
int kft_entries_create(struct kft_place *p, const char *session,
		       const struct kft_plan *plan, struct kft_err *e) __must_check;

/* Opens what kft_entries_create() made. */
int kft_entries_open(struct kft_place *p, const char *session,
		     struct kft_err *e) __must_check;

#endif
