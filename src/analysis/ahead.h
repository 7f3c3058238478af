/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_AHEAD_H
#define KFT_ANALYSIS_AHEAD_H

#include "model/merge.h"

/*
 * The events of a merge, read by a thread of its own while those before are looked at. They
 * are copied, a batch at a time; a few batches are all that it is ahead.
 */
struct kft_ahead;

/* The merge is borrowed, and the thread's until destroy. -ENOMEM, or why there is no thread. */
int kft_ahead_create(struct kft_merge *m, struct kft_ahead **ret) __must_check;
struct kft_ahead *kft_ahead_destroy(struct kft_ahead *a);
KFT_DEFINE_CLEANUP(struct kft_ahead *, kft_ahead_destroy)

/* How many events there are in *ret until the next call; 0 at the end; as kft_merge_next(). */
int kft_ahead_next(struct kft_ahead *a, const struct kft_event **ret);

#endif
