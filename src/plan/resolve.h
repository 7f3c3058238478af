/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_RESOLVE_H
#define KFT_PLAN_RESOLVE_H

#include "model/symbol.h"
#include "plan/diag.h"
#include "plan/run.h"

/*
 * Whether the functions of a configuration exist. What exists is the caller's to know:
 * the functions that a kernel can trace, or those of a System.map.
 */
typedef int kft_function_visit(void *arg, const char *name, size_t len, uint64_t addr);

struct kft_functions {
	/*
	 * Calls visit for each function until it returns other than 0, and hands that
	 * back. addr is 0 where it is not known. Gives the same each time.
	 */
	int (*each)(void *ctx, kft_function_visit *visit, void *arg);
	void *ctx; /* borrowed */
	const char *what; /* "this kernel", "System.map": for messages; borrowed */
};

/* All symbols of a table, borrowed while in use: it knows data from functions no more. */
struct kft_functions kft_functions_of_symbols(const struct kft_symbol_table *t,
					      const char *what);

/*
 * Sets match_count in every function of the configuration. One that is not there goes to
 * diags with the nearest names, and so does the name of several in a trigger: -EINVAL
 * then. -ENOMEM, or what each() returned below 0.
 */
int kft_config_resolve(struct kft_config *c, const struct kft_functions *fns,
		       struct kft_diags *diags) __must_check;

#endif
