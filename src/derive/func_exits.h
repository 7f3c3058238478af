/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_FUNC_EXITS_H
#define KFT_DERIVE_FUNC_EXITS_H

#include "derive/func_event.h"
#include "derive/func_names.h"
#include "derive/nest.h"
#include "derive/offcpu.h"
#include "derive/call_place.h"
#include "model/overruns.h"

/*
 * Calls from exits alone, which is what function_graph records with a threshold: a call
 * comes after those that were made in it. All are kept until kft_func_exits_nest().
 */
struct kft_func_exit {
	uint64_t entry_ns; /* by the tracer's clock */
	uint64_t dur_ns;
	bool is_late; /* the run was over before it ended */
	int32_t pid; /* whose stack it was on */
	uint32_t cpu;
	uint32_t missing; /* as in struct kft_nested */
	struct kft_call_hint hint;
};

struct kft_func_exits {
	struct kft_func_names *names; /* borrowed */
	struct kft_offcpu *off; /* borrowed; keeps spans */
	KFT_VEC(struct kft_func_exit) exits; /* owned */
	/*
	 * What the buffer's clock is ahead of the tracer's: the least difference seen
	 * between the times of a record and of the return that it is about.
	 */
	int64_t ahead_ns;
	struct kft_overruns overruns; /* owned */
	uint64_t losses; /* places so far where events are missing; of the caller */
	uint64_t start_ns; /* of the first call, by the tracer's clock; set when nested */
};

/* -ENOMEM, -E2BIG with more than KFT_CALLS_MAX. */
int kft_func_exits_feed(struct kft_func_exits *x, uint64_t ts, uint32_t cpu,
			const struct kft_func_event *fe) __must_check;

/* Nests and flushes all calls. -ENOMEM, or what the nest's sink returns. */
int kft_func_exits_nest(struct kft_func_exits *x, struct kft_nest *nest) __must_check;

void kft_func_exits_finish(struct kft_func_exits *x);

#endif
