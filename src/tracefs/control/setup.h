/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_SETUP_H
#define KFT_TRACEFS_SETUP_H

#include <kft/plan.h>

#include "tracefs/control/place.h"

/*
 * Brings a new instance, or the top level, into the state that a plan wants before any event is enabled:
 * stopped, clock, options, buffers.
 *
 * A new instance takes over some options of the top-level buffer, where others may have
 * set them; those that add records of their own are switched off.
 *
 * The clock, when the plan names none, is "mono": nanoseconds of CLOCK_MONOTONIC from one
 * source for all CPUs, so that the order of events on different CPUs is right and times
 * can be compared with those of user space, LTTng, BPF and perf -k mono. The kernel's
 * default, "local", is a few nanoseconds cheaper but may differ between CPUs. Kernels
 * without mono (before 3.17) get "global", which is ordered too.
 */
int kft_setup(const struct kft_place *p, const struct kft_plan *plan,
	      struct kft_err *e) __must_check;

/*
 * While this descriptor is open the buffers live; when it is closed, by whatever ends the
 * process, the kernel stops recording into them and frees them. -1 when this kernel does
 * not do that; they stay until the instance is removed then.
 */
int kft_setup_guard(const struct kft_place *p);

#endif
