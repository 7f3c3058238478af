/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "derive/calls/nest.h"
#include "model/func_stats.h"

/*
 * Statistics of calls by function. They need one pass, and memory in proportion to the number
 * of functions and of pairs of caller and callee.
 */
struct kft_functions {
	struct kft_func_stats stats; /* the result */
	KFT_VEC(uint32_t) by_func; /* function -> index into stats.funcs */
	struct kft_map pairs; /* caller << 32 | callee -> index into stats.callees */
};

void kft_functions_finish(struct kft_functions *f);

/* The sink to pass to kft_nest_create(). It borrows f. */
struct kft_nest_sink kft_functions_sink(struct kft_functions *f);

enum kft_functions_order {
	KFT_FUNCTIONS_BY_NAME,
	KFT_FUNCTIONS_BY_CALLS,
	KFT_FUNCTIONS_BY_TOTAL,
	KFT_FUNCTIONS_BY_AVERAGE,
	KFT_FUNCTIONS_BY_SUB,
	KFT_FUNCTIONS_BY_LOCAL,
	KFT_FUNCTIONS_BY_ON_TOTAL,
	KFT_FUNCTIONS_BY_ON_LOCAL,
};

/* Sorts the largest first (names backwards, as kd does), then in the order of the log. */
void kft_functions_sort(struct kft_functions *f, enum kft_functions_order order,
			const struct kft_intern *names);

/*
 * Adds the names of those functions among the first of a sorted table that wait: their times
 * are not CPU time. Adds nothing if the time off CPU is known.
 */
void kft_functions_waiting(const struct kft_func_stats *stats,
			   const struct kft_intern *names, struct kft_strbuf *sb);
