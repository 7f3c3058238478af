/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* Something with a beginning and an end: an interrupt, a system call, a task's sleep. */
enum {
	/*
	 * The interval began before the trace, or before its task existed:
	 * begin_ns is the start of the trace or of the task.
	 */
	KFT_INTERVAL_BEGUN_BEFORE = 1,
	/* The interval had not ended when the trace or its task ended: end_ns is that end. */
	KFT_INTERVAL_NOT_ENDED = 2,
	/* Events were lost between the interval's beginning and its end. */
	KFT_INTERVAL_LOSSES = 4,
};

/* value: unknown. */
#define KFT_INTERVAL_NO_VALUE INT64_MIN
/* key: unknown, as only the interval's end was seen, which does not contain the key. */
#define KFT_INTERVAL_NO_KEY UINT64_MAX

/*
 * The event that began an interval, if it was recorded: for a woken task's wait
 * the wake-up, so that pid is the waker; for queued work the task that queued it;
 * for a signal the sender.
 */
struct kft_interval_cause {
	int32_t pid; /* -1: unknown */
	uint32_t cpu;
	/* common_flags; 0x08 and 0x40: in an interrupt, 0x10: in a softirq */
	uint8_t flags;
};

struct kft_interval {
	/* Static, or owned by the maker of the kind. */
	const struct kft_interval_kind *kind;
	/* Identifies the interval within its kind; the kind defines its meaning. */
	uint64_t key;
	uint64_t begin_ns; /* ns on the clock of the buffer */
	uint64_t end_ns;
	/* Its meaning depends on the kind; KFT_INTERVAL_NO_VALUE: unknown. */
	int64_t value;
	/*
	 * The enclosing interval of the same kind, which has not ended
	 * yet; NULL: none. Borrowed.
	 */
	const struct kft_interval *parent;
	struct kft_interval_cause cause;
	int32_t pid; /* the task that the interval belongs to, or that was interrupted */
	uint32_t cpu; /* where it began; where it ended if its beginning is unknown */
	uint32_t end_cpu;
	uint32_t depth; /* number of enclosing intervals of its kind */
	uint32_t flags;
};

static inline uint64_t kft_interval_ns(const struct kft_interval *i)
{
	return i->end_ns > i->begin_ns ? i->end_ns - i->begin_ns : 0;
}
