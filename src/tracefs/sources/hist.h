/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "tracefs/control/catalog.h"
#include "tracefs/control/tracefs_dir.h"

/*
 * Has the kernel find the intervals of a plan, with hist triggers (histogram.rst). The
 * first event stores its time in a table of the instance. The second event looks it up,
 * which removes it, and traces a synthetic event, which a filter limits to intervals that
 * lasted long enough.
 *
 * A synthetic event belongs to the whole kernel: its name begins with KFT_HIST_PREFIX.
 */

/*
 * Makes the synthetic events and triggers, noted in the place's ledger. -ENOENT when this
 * kernel has no synthetic events.
 */
int kft_hist_enable(const struct kft_plan *plan, const struct kft_tracefs_dir *place,
		    struct kft_err *e) __must_check;

/*
 * 1 when a table of the plan's intervals, in an instance that records, is more than half
 * full or had no room for a key, as keys are never removed; 0 when not, or -errno.
 */
int kft_hist_is_filling(const struct kft_plan *plan, int instance_fd) __must_check;
