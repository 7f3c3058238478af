/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_INTERVAL_H
#define KFT_MODEL_INTERVAL_H

#include <stdint.h>

/* Something with a beginning and an end: an interrupt, a system call, a task's sleep. */
enum {
	/* The trace, or its task: begin_ns is where that begins. */
	KFT_INTERVAL_BEGUN_BEFORE = 1,
	/* By the end of the trace, or of its task: end_ns is that. */
	KFT_INTERVAL_NOT_ENDED = 2,
	/* Events are missing between its beginning and its end. */
	KFT_INTERVAL_LOSSES = 4,
};

/* As value. */
#define KFT_INTERVAL_NO_VALUE INT64_MIN
/* As key: only its end was seen, which does not tell the key. */
#define KFT_INTERVAL_NO_KEY UINT64_MAX

/*
 * The event that began an interval, where that was seen: of a woken task's wait the wake-up,
 * so that pid is the waker; of queued work whoever queued it; of a signal the sender.
 */
struct kft_interval_cause {
	int32_t pid; /* -1: not seen */
	uint32_t cpu;
	uint8_t flags; /* common_flags; 0x08 and 0x40: in an interrupt, 0x10: a softirq */
};

struct kft_interval {
	const struct kft_interval_kind *kind; /* static, or of whoever made the kind */
	uint64_t key; /* which of its kind: what the kind calls it */
	uint64_t begin_ns; /* on the clock of the buffer */
	uint64_t end_ns;
	int64_t value; /* what the kind says; KFT_INTERVAL_NO_VALUE: not known */
	/* The one of its kind that it is in, which goes on; NULL: none. Borrowed. */
	const struct kft_interval *parent;
	struct kft_interval_cause cause;
	int32_t pid; /* of the task that it is about, or that was interrupted */
	uint32_t cpu; /* where it began, or ended if it has no beginning */
	uint32_t end_cpu;
	uint32_t depth; /* how many of its kind it is in */
	uint32_t flags;
};

static inline uint64_t kft_interval_ns(const struct kft_interval *i)
{
	return i->end_ns > i->begin_ns ? i->end_ns - i->begin_ns : 0;
}

#endif
