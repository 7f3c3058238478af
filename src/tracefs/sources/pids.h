/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "tracefs/control/tracefs_dir.h"

/* False in a container, because the task ids there are not the kernel's. */
bool kft_pids_are_known(const struct kft_host *host);

/*
 * Limits the events of a tracefs directory to the plan's processes with all their
 * threads, and to their children if the plan says so. Threads that are created meanwhile
 * are found, too. Does nothing for a plan without pids. -ESRCH for a process that does
 * not exist, -EXDEV in a container, where the kernel's task ids are not known.
 */
int kft_pids_set_events(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
			struct kft_err *e) __must_check;

/* The same for functions. */
int kft_pids_set_functions(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
			   struct kft_err *e) __must_check;
