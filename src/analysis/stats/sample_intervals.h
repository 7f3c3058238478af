/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/result.h"
#include "model/scope.h"
#include "model/trace.h"

struct kft_sample_point {
	uint64_t ts;
	uint64_t weight;
	int32_t pid;
	uint32_t cpu;
};

/*
 * Adds a table of the samples within system calls, work functions, interrupts and softirqs to a result;
 * none without such intervals. whole: the weight of all samples. The list of samples is sorted anew.
 * -ENOMEM, or an error of the trace.
 */
int kft_sample_intervals(struct kft_trace *t, const struct kft_scope *scope,
			 struct kft_sample_point *samples, size_t n, uint64_t whole,
			 size_t top, struct kft_result *r) __must_check;
