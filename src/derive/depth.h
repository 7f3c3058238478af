/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_DEPTH_H
#define KFT_DERIVE_DEPTH_H

#include "derive/engine.h"

/*
 * How deep CPUs are in interrupts, softirqs and timers, and tasks in work and calls. It is fed
 * by an engine as a kind that has no intervals of its own, so that the events are listed once.
 */
struct kft_depths;

#define KFT_NO_CALL (-1)

/* -ENOMEM. */
int kft_depths_create(struct kft_trace *t, struct kft_depths **ret) __must_check;
struct kft_depths *kft_depths_destroy(struct kft_depths *d);

/* Borrowed from d. */
const struct kft_interval_kind *kft_depths_kind(const struct kft_depths *d);

/* Of a CPU and its task; the call that the task is in, or KFT_NO_CALL. -ENOMEM. */
int kft_depths_get(struct kft_depths *d, uint32_t cpu, int32_t pid, uint32_t *ret_depth,
		   int64_t *ret_call) __must_check;

/* After lost events: what was begun on a CPU may have ended unseen. -ENOMEM. */
int kft_depths_forget(struct kft_depths *d, uint32_t cpu) __must_check;

#endif
