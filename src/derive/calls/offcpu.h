/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/keyed.h"

/*
 * Time that tasks were off CPU, from context switches in the order of time. Idle tasks
 * (pid 0) are ignored. Zeroed, it is empty.
 *
 * If a task comes to a CPU without having left one, the switch away from it was not
 * recorded: it counts as off CPU since it was last seen to run.
 */
struct kft_offcpu_span {
	uint64_t since;
	uint64_t until;
	uint64_t before_ns; /* total ns off CPU before it */
};

struct kft_offcpu_task {
	bool is_off;
	/* Start of the time off CPU; if it is not off, when it was last seen to run, or 0. */
	uint64_t since;
	uint64_t total_ns; /* up to its last return to a CPU */
	KFT_VEC(struct kft_offcpu_span) spans; /* empty unless keep_spans is set */
};

struct kft_offcpu {
	bool keep_spans; /* for kft_offcpu_between(); set it before the first switch */
	bool any; /* a switch was fed */
	KFT_VEC(struct kft_offcpu_task) tasks;
	struct kft_map by_pid; /* base/keyed.h */
};

void kft_offcpu_finish(struct kft_offcpu *o);

/* At ts, prev leaves a CPU and next comes to it. -ENOMEM. */
int kft_offcpu_switch(struct kft_offcpu *o, uint64_t ts, int32_t prev,
		      int32_t next) __must_check;

/* Notes that a task runs at ts. -ENOMEM. */
int kft_offcpu_seen(struct kft_offcpu *o, int32_t pid, uint64_t ts) __must_check;

/* Time off CPU in ns until ts, which is not before the last switch. */
uint64_t kft_offcpu_total(const struct kft_offcpu *o, int32_t pid, uint64_t ts);

/* Time off CPU in ns from `from` to `to`; needs keep_spans. */
uint64_t kft_offcpu_between(const struct kft_offcpu *o, int32_t pid, uint64_t from,
			    uint64_t to);
