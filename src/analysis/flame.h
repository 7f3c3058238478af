/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "model/scope.h"
#include "model/stacks.h"
#include "model/trace.h"

/* The weights of a flame graph's stacks; the outermost frame of each is a task's name. */
enum kft_flame_of {
	KFT_FLAME_CALLS, /* calls of functions, by ns in each, without its callees */
	KFT_FLAME_OFF_CPU, /* states of tasks that do not run, by ns */
	KFT_FLAME_STACKS, /* recorded stacks, by number of occurrences */
	/* stacks of samples, by their periods, or by their number if they are of several types */
	KFT_FLAME_SAMPLES,
	/* all the time of each thread, by ns: running by function, waiting by reason */
	KFT_FLAME_WALL,
};

/*
 * Adds the stacks of a trace to stacks. The trace's symbols and tasks must be loaded before.
 * -ENODATA: the trace has no events for this kind of stacks.
 */
int kft_flame_run(struct kft_trace *t, const struct kft_scope *scope,
		  enum kft_flame_of of, const struct kft_symbol_table *symbols,
		  struct kft_stacks *stacks, struct kft_err *e) __must_check;

/* Does the same with the first of calls, samples, stacks and off-cpu that the trace has. */
int kft_flame_best(struct kft_trace *t, const struct kft_scope *scope,
		   const struct kft_symbol_table *symbols, struct kft_stacks *stacks,
		   enum kft_flame_of *ret, struct kft_err *e) __must_check;

/* Whether the weights are ns. */
bool kft_flame_is_time(struct kft_trace *t, enum kft_flame_of of);
