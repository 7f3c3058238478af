/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_CALLS_RESULT_H
#define KFT_ANALYSIS_CALLS_RESULT_H

#include "analysis/functions.h"
#include "model/call_tree.h"
#include "model/result.h"
#include "model/run_info.h"

/*
 * Calls and functions as tables of a result. What is given is borrowed until the result
 * has been written: names are not copied, and a row of a call is made when it is asked for.
 */
struct kft_calls_table {
	const struct kft_call_tree *tree;
	const struct kft_intern *names;
	uint64_t start_ns; /* which the nodes' entries count from */
	uint64_t base_ns; /* which the result's entries count from */
};

/* "calls": all calls in the order of their entries. */
void kft_calls_result(const struct kft_calls_table *calls, struct kft_result *ret);

struct kft_functions_table {
	const struct kft_func_stats *stats;
	const struct kft_intern *names;
	uint64_t min_total_ns; /* functions with less are left out */
	uint64_t top; /* only so many functions; 0: all */
};

/* "functions", and "callees": which functions they called. */
void kft_functions_result(const struct kft_functions_table *functions,
			  struct kft_result *ret);

/* What is known of a run: single values, and "filters". */
void kft_run_info_result(const struct kft_run_info *info, struct kft_result *ret);

/* A function by its number in names, "" for KFT_INTERN_NONE. */
struct kft_value kft_value_interned(const struct kft_intern *names, uint32_t number);

#endif
