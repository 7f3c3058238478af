/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "tracefs/control/tracefs_dir.h"

/*
 * Sets a trigger that records the kernel's call stack with each record of one event.
 * filter: that of the event, NULL for none. The trigger is noted in the place's ledger.
 */
int kft_stack_trigger_set(const struct kft_tracefs_dir *p, const char *system,
			  const char *event, const char *filter,
			  struct kft_err *e) __must_check;

/* Removes the trigger; it is no error if there is none. */
int kft_stack_trigger_remove(const struct kft_tracefs_dir *p, const char *system,
			     const char *event) __must_check;
