/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/intern.h"

/*
 * Totals over all calls of a function. "Timed" calls are those with a recorded exit;
 * others are counted, but are not part of any time.
 */
struct kft_func_stat {
	uint32_t func;
	uint64_t calls;
	uint64_t timed;
	uint64_t total_ns; /* ns from entry to exit; recursive calls count once */
	uint64_t sum_ns; /* ns of all timed calls; recursive calls count each time */
	uint64_t min_ns; /* of timed calls */
	uint64_t max_ns;
	/* ns in the function itself, without functions that it called */
	uint64_t local_ns;
	/* total_ns and local_ns, but only time on a CPU: see kft_func_stats.has_off. */
	uint64_t on_total_ns;
	uint64_t on_local_ns;
	uint32_t first_callee; /* index into callees, in the order of first calls */
	uint32_t last_callee;
};

/* The calls of one function by another. */
struct kft_callee_stat {
	uint32_t func;
	uint32_t next; /* next callee of the same caller; KFT_FUNC_STAT_NONE: none */
	uint64_t calls;
	uint64_t sum_ns; /* ns of timed calls by this caller */
};

#define KFT_FUNC_STAT_NONE UINT32_MAX

struct kft_func_stats {
	KFT_VEC(struct kft_func_stat) funcs; /* in the order of first calls */
	KFT_VEC(struct kft_callee_stat) callees;
	bool has_off; /* on_total_ns and on_local_ns are known */
};

/* The callee with the most time under its caller; NULL when there is none. */
const struct kft_callee_stat *kft_func_stat_max_callee(const struct kft_func_stats *s,
						       const struct kft_func_stat *f);

void kft_func_stats_finish(struct kft_func_stats *s);
