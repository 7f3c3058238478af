/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_WHY_FIND_H
#define KFT_ANALYSIS_WHY_FIND_H

#include "analysis/analysis.h"
#include "analysis/why_ask.h"

struct kft_why_found {
	KFT_VEC(struct kft_interval) worst; /* the longest first */
	/* Of the kind and key that the last of the worst has: */
	uint64_t count; /* of those that were meant and are whole */
	uint64_t median_ns;
	KFT_VEC(struct kft_interval) usual; /* some of the middle fifth */
	struct kft_interval left_out; /* a longer wait of the task; kind NULL: none */
	bool has_calls; /* there were calls of functions among all that was looked at */
};

/*
 * Intervals that have both ends and no loss in between. Where ask names no kind, those of the
 * kind and key are taken whose longest is furthest from their usual one. Where there is nothing
 * else, and no limit for their length, those in which programs wait for what may never come. 0 also
 * when nothing is found.
 */
int kft_why_find(struct kft_trace *t, const struct kft_why_ask *ask,
		 struct kft_why_found *ret, struct kft_err *e) __must_check;
void kft_why_found_finish(struct kft_why_found *f);

/*
 * The task that has a name in a stretch of time, or that has it at all if none has it then. 1; 0 if
 * there is none or more than one; -ENOMEM.
 */
int kft_why_find_named(struct kft_trace *t, const char *comm, uint64_t since,
		       uint64_t until, int32_t *ret_pid) __must_check;

#endif
