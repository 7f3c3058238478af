/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_FUNC_STATS_H
#define KFT_MODEL_FUNC_STATS_H

#include "base/intern.h"

/*
 * What all calls of a function took together. "Timed" calls are those whose exit was seen;
 * others are counted but enter no time.
 */
struct kft_func_stat {
	uint32_t func;
	uint64_t calls;
	uint64_t timed;
	uint64_t total_ns; /* from entry to exit, recursion once */
	uint64_t sum_ns; /* of all timed calls, recursion each time */
	uint64_t min_ns; /* of timed calls */
	uint64_t max_ns;
	uint64_t local_ns; /* in the function itself, not in functions that it called */
	/* The same while on a CPU: see kft_func_stats.has_off. */
	uint64_t on_total_ns;
	uint64_t on_local_ns;
	uint32_t first_callee; /* index into callees, in the order of first calls */
	uint32_t last_callee;
};

/* What a function called. */
struct kft_callee_stat {
	uint32_t func;
	uint32_t next; /* of the same caller; KFT_FUNC_STAT_NONE: the last one */
	uint64_t calls;
	uint64_t sum_ns; /* under this caller, of timed calls */
};

#define KFT_FUNC_STAT_NONE UINT32_MAX

struct kft_func_stats {
	KFT_VEC(struct kft_func_stat) funcs; /* in the order of first calls */
	KFT_VEC(struct kft_callee_stat) callees;
	bool has_off; /* the time off CPU is known */
};

/* The callee with the most time under its caller; NULL when there is none. */
const struct kft_callee_stat *kft_func_stat_max_callee(const struct kft_func_stats *s,
						       const struct kft_func_stat *f);

void kft_func_stats_finish(struct kft_func_stats *s);

#endif
