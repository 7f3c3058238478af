/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"

/*
 * Counts the interrupts, softirqs and timers that CPUs are in, and the work and system
 * calls that tasks are in. An engine feeds it as a kind without intervals of its own, so
 * that the events are listed only once.
 */
struct kft_depths;

#define KFT_NO_CALL (-1)

/* -ENOMEM. */
int kft_depths_create(struct kft_trace *t, struct kft_depths **ret) __must_check;
struct kft_depths *kft_depths_destroy(struct kft_depths *d);

/* Borrowed from d. */
const struct kft_interval_kind *kft_depths_kind(const struct kft_depths *d);

/*
 * The depth of a CPU with its task; *ret_call: number of the task's system call, or
 * KFT_NO_CALL. -ENOMEM.
 */
int kft_depths_get(struct kft_depths *d, uint32_t cpu, int32_t pid, uint32_t *ret_depth,
		   int64_t *ret_call) __must_check;

/* Resets the depth of a CPU after a loss, which may have hidden ends. -ENOMEM. */
int kft_depths_forget(struct kft_depths *d, uint32_t cpu) __must_check;
