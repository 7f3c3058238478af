/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_AHEAD_H
#define KFT_ANALYSIS_AHEAD_H

#include "model/merge.h"

/*
 * The events of a merge, read by a thread of its own while what was read before is looked at:
 * a few batches are all that it is ahead.
 */
struct kft_ahead;

/* Appends what is needed of an event. 0 or -errno, which ends all. */
typedef int kft_ahead_read(void *arg, const struct kft_event *ev, struct kft_u64_vec *to);

/* The merge is borrowed, and the thread's until destroy. -ENOMEM, or why there is no thread. */
int kft_ahead_create(struct kft_merge *m, kft_ahead_read *read, void *arg,
		     struct kft_ahead **ret) __must_check;
struct kft_ahead *kft_ahead_destroy(struct kft_ahead *a);
KFT_DEFINE_CLEANUP(struct kft_ahead *, kft_ahead_destroy)

/*
 * What was read of some events, until the next call: 1, 0 at the end, -errno of the merge or
 * the reading.
 */
int kft_ahead_next(struct kft_ahead *a, const struct kft_u64_vec **ret);

#endif
