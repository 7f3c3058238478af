/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_OFFCPU_H
#define KFT_DERIVE_OFFCPU_H

#include "base/keyed.h"

/*
 * How long tasks were not on a CPU, from context switches in the order of time. Idle tasks
 * (pid 0) are not looked at. Zeroed is empty.
 *
 * A task that comes to a CPU without having left one did so when that was not recorded:
 * since it was seen to do something it has been off.
 */
struct kft_offcpu_span {
	uint64_t since;
	uint64_t until;
	uint64_t before_ns; /* time off CPU before it, in all */
};

struct kft_offcpu_task {
	bool is_off;
	uint64_t since; /* when it is off; else when it was last seen to run, or 0 */
	uint64_t total_ns; /* up to the last time that it came back */
	KFT_VEC(struct kft_offcpu_span) spans; /* when they are kept */
};

struct kft_offcpu {
	bool keep_spans; /* for kft_offcpu_between(); set it before the first switch */
	bool any; /* there was a switch */
	KFT_VEC(struct kft_offcpu_task) tasks;
	struct kft_map by_pid; /* base/keyed.h */
};

void kft_offcpu_finish(struct kft_offcpu *o);

/* At ts, prev leaves a CPU and next comes to it. -ENOMEM. */
int kft_offcpu_switch(struct kft_offcpu *o, uint64_t ts, int32_t prev,
		      int32_t next) __must_check;

/* A task is seen to run. -ENOMEM. */
int kft_offcpu_seen(struct kft_offcpu *o, int32_t pid, uint64_t ts) __must_check;

/* Time off CPU until ts, which is not earlier than the last switch. */
uint64_t kft_offcpu_total(const struct kft_offcpu *o, int32_t pid, uint64_t ts);

/* The same within a time, from the spans. */
uint64_t kft_offcpu_between(const struct kft_offcpu *o, int32_t pid, uint64_t from,
			    uint64_t to);

#endif
