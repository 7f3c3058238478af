/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/scope.h"
#include "model/stacks.h"
#include "model/trace.h"

/*
 * The call stacks in a trace: those of ftrace's kernel_stack and user_stack events, which belong
 * to the event before them in their buffer. If that event is a sample (of the system perf, with
 * an address ip) the stack is that of a sample.
 */
struct kft_recorded_stack {
	const struct kft_class *sample; /* the sample's type; NULL: of another event */
	uint64_t period; /* events since the sample before; 1: not known */
	int32_t pid; /* 0: the idle task, or not known */
	uint32_t cpu;
	uint64_t ts;
	const uint64_t *addresses; /* innermost first; borrowed for the call */
	size_t n;
	size_t n_kernel; /* the first ones are addresses of the kernel */
};

/* A negative result ends the reading. */
typedef int kft_recorded_stack_fn(void *arg, const struct kft_recorded_stack *stack);

/*
 * Calls fn with all stacks in scope, in the order of time; a sample without a stack has its own
 * address as one. -ENODATA: the trace can have neither stacks nor samples.
 */
int kft_recorded_stacks_run(struct kft_trace *t, const struct kft_scope *scope,
			    kft_recorded_stack_fn *fn, void *arg) __must_check;

/* The upper half of the addresses: all architectures that kft knows have their kernel there. */
bool kft_is_kernel_address(const struct kft_trace *t, uint64_t addr);

/* The unit of samples' periods. */
enum kft_sample_unit {
	KFT_SAMPLES_NONE, /* the trace has no type of samples */
	KFT_SAMPLES_NS, /* cpu-clock and task-clock */
	KFT_SAMPLES_EVENTS,
	KFT_SAMPLES_MIXED, /* of several types: periods cannot be compared */
};

enum kft_sample_unit kft_sample_unit(struct kft_trace *t);

/*
 * Finds the type of samples that stand for running time: of a clock, or else of cycles. NULL: the
 * trace has none.
 */
const struct kft_class *kft_sample_time_class(struct kft_trace *t);

/*
 * Adds the names of the first n addresses of a stack as frames below *at, the outermost first;
 * *at becomes the innermost one. text is for the names. -ENOMEM.
 */
int kft_recorded_stack_frames(struct kft_trace *t, const struct kft_recorded_stack *stack,
			      size_t n, struct kft_stacks *stacks,
			      struct kft_strbuf *text, uint32_t *at) __must_check;
