/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_STACK_TRIGGER_H
#define KFT_TRACEFS_STACK_TRIGGER_H

#include "tracefs/control/place.h"

/*
 * Has the kernel's call stack recorded with each record of one event; filter: that of the
 * event, NULL for none. The place's ledger notes it.
 */
int kft_stack_trigger_set(const struct kft_place *p, const char *system,
			  const char *event, const char *filter,
			  struct kft_err *e) __must_check;

/* Takes it away again; none is no error. */
int kft_stack_trigger_remove(const struct kft_place *p, const char *system,
			     const char *event) __must_check;

#endif
