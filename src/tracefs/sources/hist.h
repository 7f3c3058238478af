/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_HIST_H
#define KFT_TRACEFS_HIST_H

#include <kft/plan.h>

#include "tracefs/control/catalog.h"
#include "tracefs/control/place.h"

/*
 * The intervals of a plan, found by the kernel's hist triggers (histogram.rst): the first event
 * leaves its time in a table of the instance, the second one looks for it there and traces a
 * synthetic event, which there is only for whom it lasted long enough. Who reads it takes it away.
 *
 * A synthetic event is one for the whole kernel: its name begins with KFT_HIST_PREFIX.
 */

/* All that is made is noted in the place's ledger. -ENOENT where the kernel has no such triggers. */
int kft_hist_enable(const struct kft_plan *plan, const struct kft_place *place,
		    struct kft_err *e) __must_check;

/*
 * 1 when the tables of a plan's intervals, in an instance that records, have become more than
 * half full, or had no room: a table forgets no key. 0 when not, or -errno.
 */
int kft_hist_is_filling(const struct kft_plan *plan, int instance_fd) __must_check;

#endif
