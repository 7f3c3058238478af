/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "tracefs/control/tracefs_dir.h"

/*
 * Records function entries (the plan's `entered`) along with calls. A tracefs instance
 * has one tracer, so entries have a companion instance, named like the session's with
 * this suffix. It uses the plan's clock, tasks and buffer size.
 */
#define KFT_ENTRIES_SUFFIX "+entries" /* session names have no '+' */

static inline bool kft_entries_are_wanted(const struct kft_plan *plan)
{
	return plan->functions.entered.len > 0;
}

/* Sets everything up; nothing is recorded yet. */
int kft_entries_set_up(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
		       struct kft_err *e) __must_check;

/* For a session that outlives its processes: makes the companion instance and sets it up. */
int kft_entries_create(struct kft_tracefs_dir *p, const char *session,
		       const struct kft_plan *plan, struct kft_err *e) __must_check;

/* Opens the companion instance that kft_entries_create() made. */
int kft_entries_open(struct kft_tracefs_dir *p, const char *session,
		     struct kft_err *e) __must_check;
