/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/intern.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * Call stacks that were deeper than the limit of a KFT run, from the markers that the run
 * wrote into the trace ("kft: stack LEFT", "kft: frame DEPTH SIZE LOCATION"). Each frame
 * is a call that KFT's log shows with a Delta of -2. The outermost frame of a stack comes
 * first.
 */
struct kft_stack_mark {
	uint64_t ts; /* ns; time of the record, when the stack was found */
	uint32_t func; /* number in names */
	uint32_t caller; /* KFT_INTERN_NONE for the outermost */
	uint32_t caller_offset;
	uint32_t depth; /* of the frame in its stack; 0: outermost */
};

struct kft_stack_marks {
	KFT_VEC(struct kft_stack_mark) marks; /* owned; in the order of time */
};

/* The caller has zeroed *ret. -ENOMEM; -E2BIG with more than KFT_CALLS_MAX frames. */
int kft_stack_marks_read(struct kft_trace *t, const struct kft_scope *scope,
			 struct kft_intern *names,
			 struct kft_stack_marks *ret) __must_check;
void kft_stack_marks_finish(struct kft_stack_marks *m);
