/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/calls/nest.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * Derives calls of functions from records of function_graph (entries and exits, or exits
 * alone, as with a threshold) and of the function tracer, with the time off CPU if the
 * trace has context switches. Calls in interrupts have KFT_CALL_IN_INTERRUPT as their
 * pid.
 *
 * With exits alone, all calls are held in memory (at most KFT_CALLS_MAX) until they can
 * be sorted: a call is recorded after the calls that it made.
 */
struct kft_calls_opts {
	const struct kft_scope *scope; /* borrowed; NULL: the whole trace */
	const struct kft_symbol_table *symbols; /* borrowed; may be empty */
	/* borrowed: functions and callers of calls are numbers in it */
	struct kft_intern *names;
};

struct kft_calls_found {
	uint64_t start_ns; /* times count from it; ns on the clock of the buffer */
	uint64_t records; /* number of function records */
	/* Number of these that were skipped because their buffer is not that of the first one. */
	uint64_t other_buffers;
	/*
	 * Number of these that were skipped: entries of the function tracer, in addition
	 * to calls.
	 */
	uint64_t entries;
	uint64_t gaps; /* number of losses */
	uint64_t too_deep; /* calls for which the kernel's return stacks had no room */
};

/*
 * Feeds the nest and flushes it. Times count from the first function record. -ENODATA if
 * the trace has no function records, -E2BIG with more than KFT_CALLS_MAX exits, -ENOMEM,
 * or the result of the nest's sink.
 */
int kft_calls_run(struct kft_trace *t, const struct kft_calls_opts *opts,
		  struct kft_nest *nest, struct kft_calls_found *ret) __must_check;
