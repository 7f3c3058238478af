/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_SWITCHED_H
#define KFT_SESSION_RUN_SWITCHED_H

#include <kft/plan.h>

#include "session/run/run.h"

/*
 * Sets of events that were switched on and off in a recording while it is under way. The file
 * KFT_SWITCHED of the session's directory has them, one "+NAME" or "-NAME" a line, each name
 * once; marks in the trace say them.
 */
#define KFT_SWITCHED "switched"

/*
 * Whether the plan, which is the set `name`, can be switched at all: -EOPNOTSUPP when it has
 * probes or functions, which are made when a recording begins. -EINVAL for a name that the file
 * cannot hold.
 */
int kft_switched_check(const struct kft_plan *plan, const char *name,
		       struct kft_err *e) __must_check;

/*
 * Switches the events of such a plan on or off, and writes the mark. -EINVAL for a session that
 * is no recording or not under way; errors of kft_switched_check().
 */
int kft_run_switch(const struct kft_run *r, const struct kft_plan *plan, const char *name,
		   bool on, struct kft_err *e) __must_check;

/* Marks say all of it again: older ones are overwritten by now, or nothing was recorded then. */
void kft_switched_mark(const struct kft_run *r);

/* Each of them, "+NAME" or "-NAME", with the last change last. 0 where there are none. */
typedef void kft_switched_fn(void *arg, const char *change);
int kft_switched_each(const struct kft_run *r, kft_switched_fn *each, void *arg,
		      struct kft_err *e) __must_check;

/* Appends "+NAME, -NAME": the last change of each set; nothing where there was none. */
void kft_switched_text(const struct kft_run *r, struct kft_strbuf *sb);

#endif
