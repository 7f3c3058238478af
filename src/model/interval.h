/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_INTERVAL_H
#define KFT_MODEL_INTERVAL_H

#include <stdint.h>

/* Something with a beginning and an end: an interrupt, a system call, a task's sleep. */
enum {
	KFT_INTERVAL_BEGUN_BEFORE =
		1, /* the trace: begin_ns is that of its first event */
	KFT_INTERVAL_NOT_ENDED = 2, /* by its end: end_ns is that of its last event */
	KFT_INTERVAL_LOSSES =
		4, /* events are missing between its beginning and its end */
};

/* As value. */
#define KFT_INTERVAL_NO_VALUE INT64_MIN

struct kft_interval {
	const struct kft_interval_kind *kind; /* static */
	uint64_t key; /* which of its kind: what the kind calls it */
	uint64_t begin_ns; /* on the clock of the buffer */
	uint64_t end_ns;
	int64_t value; /* what the kind says; KFT_INTERVAL_NO_VALUE: not known */
	int32_t pid; /* of the task that it is about, or that was interrupted */
	uint32_t cpu; /* where it began, or ended if it has no beginning */
	uint32_t depth; /* how many of its kind it is in */
	uint32_t flags;
};

#endif
