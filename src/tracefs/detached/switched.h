/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "tracefs/detached/part.h"

/*
 * Sets of events that were switched on and off while a recording is under way. The file
 * KFT_SWITCHED of the session's directory lists them, one "+NAME" or "-NAME" a line, each
 * name once; markers in the trace show them.
 */
#define KFT_SWITCHED "switched"

/*
 * Checks that the plan, which is the set `name`, can be switched: -EOPNOTSUPP when it has
 * probes or functions, which are made when a recording begins. -EINVAL for a name that
 * the file cannot hold.
 */
int kft_switched_check(const struct kft_plan *plan, const char *name,
		       struct kft_err *e) __must_check;

/*
 * Switches the events of such a plan on or off, and writes the marker. Errors are also those of
 * kft_switched_check().
 */
int kft_switched_switch(struct kft_part *p, const struct kft_plan *plan, const char *name,
			bool on, struct kft_err *e) __must_check;

/*
 * Writes all markers again: older ones may be overwritten by now, or came while recording
 * was off.
 */
void kft_switched_mark(const struct kft_tracefs_part *r);

/*
 * Calls each() with every change, "+NAME" or "-NAME", the latest one last. 0 without
 * changes.
 */
typedef void kft_switched_fn(void *arg, const char *change);
int kft_switched_each(const struct kft_run *r, kft_switched_fn *each, void *arg,
		      struct kft_err *e) __must_check;

/* Appends the last change of each set as "+NAME, -NAME"; nothing without changes. */
void kft_switched_text(const struct kft_run *r, struct kft_strbuf *sb);
