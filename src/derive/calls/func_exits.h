/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/calls/func_event.h"
#include "derive/calls/func_names.h"
#include "derive/calls/nest.h"
#include "derive/calls/offcpu.h"
#include "derive/calls/call_place.h"
#include "model/overruns.h"

/*
 * Makes calls from exits alone, the only records of function_graph with a threshold. A
 * call is recorded after the calls that it made, so all exits are kept until
 * kft_func_exits_nest().
 */
struct kft_func_exit {
	uint64_t entry_ns; /* ns on the tracer's clock */
	uint64_t dur_ns;
	bool is_late; /* the run was over before the call ended */
	int32_t pid; /* the task that was running, also in an interrupt */
	uint32_t cpu;
	uint32_t missing; /* like in struct kft_nested */
	struct kft_call_hint hint;
};

struct kft_func_exits {
	struct kft_func_names *names; /* borrowed */
	struct kft_offcpu *off; /* borrowed; has keep_spans set */
	KFT_VEC(struct kft_func_exit) exits; /* owned */
	/*
	 * Time by which the buffer's clock is ahead of the tracer's: the minimum
	 * difference between the time of a record and the return time in it.
	 */
	int64_t ahead_ns;
	struct kft_overruns overruns; /* owned */
	uint64_t losses; /* number of losses so far; the caller counts them */
	/* Entry of the first call on the tracer's clock; kft_func_exits_nest() sets it. */
	uint64_t start_ns;
};

/* -ENOMEM, -E2BIG with more than KFT_CALLS_MAX. */
int kft_func_exits_feed(struct kft_func_exits *x, uint64_t ts, uint32_t cpu,
			const struct kft_func_event *fe) __must_check;

/* Nests and flushes all calls. -ENOMEM, or the result of the nest's sink. */
int kft_func_exits_nest(struct kft_func_exits *x, struct kft_nest *nest) __must_check;

void kft_func_exits_finish(struct kft_func_exits *x);
