/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/calls/functions.h"
#include "model/call_tree.h"
#include "model/result.h"
#include "model/run_info.h"

/*
 * Converts calls and functions to tables of a result. All arguments are borrowed until the
 * result has been written: names are not copied, and rows of calls are made on demand.
 */
struct kft_calls_table {
	const struct kft_call_tree *tree;
	const struct kft_intern *names;
	uint64_t start_ns; /* time that the nodes' entries count from */
	uint64_t base_ns; /* time that the result's entries count from */
};

/* Adds the table "calls": all calls in the order of their entries. */
void kft_calls_result(const struct kft_calls_table *calls, struct kft_result *ret);

struct kft_functions_table {
	const struct kft_func_stats *stats;
	const struct kft_intern *names;
	uint64_t min_total_ns; /* functions with a lower total time are left out */
	uint64_t top; /* maximum number of functions; 0: all */
};

/* Adds the tables "functions" and "callees", the functions that each one called. */
void kft_functions_result(const struct kft_functions_table *functions,
			  struct kft_result *ret);

/* Adds the facts about a run: single values, and the table "filters". */
void kft_run_info_result(const struct kft_run_info *info, struct kft_result *ret);

/* The value of a function by its number in names; "" for KFT_INTERN_NONE. */
struct kft_value kft_value_interned(const struct kft_intern *names, uint32_t number);
