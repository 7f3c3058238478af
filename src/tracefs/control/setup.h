/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "tracefs/control/tracefs_dir.h"

/*
 * Prepares a new instance, or the top level, for a plan before any event is enabled:
 * switches recording off and sets the clock, options and buffers.
 *
 * A new instance inherits some options of the top-level buffer, where other programs may
 * have set them; those that add records of their own are switched off.
 *
 * The clock, when the plan names none, is "mono": nanoseconds of CLOCK_MONOTONIC from one
 * source for all CPUs, so that the order of events on different CPUs is right and times
 * can be compared with those of user space, LTTng, BPF and perf -k mono. The kernel's
 * default, "local", is a few nanoseconds cheaper but may differ between CPUs. Kernels
 * without mono (before 3.17) get "global", which is ordered too.
 */
int kft_setup(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
	      struct kft_err *e) __must_check;

/*
 * Returns a descriptor, owned by the caller, that keeps the buffers alive: when it is
 * closed, for example by the death of the process, the kernel stops recording into them
 * and frees them. -1 when this kernel does not support that; the buffers stay then until
 * the instance is removed.
 */
int kft_setup_guard(const struct kft_tracefs_dir *p);
