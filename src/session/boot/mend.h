/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_BOOT_MEND_H
#define KFT_SESSION_BOOT_MEND_H

#include <kft/plan.h>

#include "model/trace.h"

/*
 * Kernels make tracefs' directories of events in the background while kprobe_event= adds
 * events: one that comes in between works but has no directory, and so no format (seen on
 * 6.1, arm64). Adds formats for the triggers' probes if the trace has records of events
 * that it does not describe. -ENOMEM.
 */
int kft_boot_mend(struct kft_trace *t, const struct kft_plan *plan,
		  struct kft_err *e) __must_check;

#endif
