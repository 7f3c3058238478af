/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_CALLS_H
#define KFT_DERIVE_CALLS_H

#include "derive/nest.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * Calls of functions from a trace: what function_graph (entries and exits, or exits alone,
 * as with a threshold) and function recorded, with the time off CPU where the trace has
 * context switches. Calls of interrupts have KFT_CALL_IN_INTERRUPT as their pid.
 *
 * With exits alone, all calls are held in memory (KFT_CALLS_MAX) until they can be put in
 * order: a call is recorded after those that were made in it.
 */
struct kft_calls_opts {
	const struct kft_scope *scope; /* borrowed; NULL: the whole trace */
	const struct kft_symbol_table *symbols; /* borrowed; may be empty */
	struct kft_intern *names; /* borrowed: what the calls' numbers are of */
};

struct kft_calls_found {
	uint64_t start_ns; /* that times count from, on the clock of the buffer */
	uint64_t records; /* of functions */
	uint64_t
		other_buffers; /* of these, passed over: from another than the first buffer */
	uint64_t
		entries; /* of these, passed over: of the function tracer, beside calls */
	uint64_t gaps; /* places where events are missing */
	uint64_t too_deep; /* calls that the kernel's return stacks had no room for */
};

/*
 * Feeds the nest and flushes it. Times count from the first function's record. -ENODATA
 * when there is no function's record in the trace, -E2BIG with more than KFT_CALLS_MAX
 * exits, -ENOMEM, or what the nest's sink returns.
 */
int kft_calls_run(struct kft_trace *t, const struct kft_calls_opts *opts,
		  struct kft_nest *nest, struct kft_calls_found *ret) __must_check;

#endif
