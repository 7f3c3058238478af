/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "model/trace.h"

/*
 * Adds formats for the triggers' probes if the trace has records of events that it does
 * not describe. -ENOMEM.
 *
 * Kernels make tracefs' directories of events in the background while kprobe_event= adds
 * events. An event that is added meanwhile works but has no directory, and so no format
 * (seen on 6.1, arm64).
 */
int kft_boot_mend(struct kft_trace *t, const struct kft_plan *plan,
		  struct kft_err *e) __must_check;
