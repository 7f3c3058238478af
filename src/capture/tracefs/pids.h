/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_TRACEFS_PIDS_H
#define KFT_CAPTURE_TRACEFS_PIDS_H

#include <kft/plan.h>

#include "capture/host.h"

/*
 * Limits an instance's events to the plan's processes with all their threads, and to what
 * they fork if the plan says so. Threads that are born meanwhile are found too. Does
 * nothing for a plan without pids. -ESRCH for a process that does not exist, -EXDEV in a
 * container, where the kernel's numbers are not known.
 */
int kft_pids_set(const struct kft_host *host, int instance_fd,
		 const struct kft_plan *plan, struct kft_err *e) __must_check;

#endif
