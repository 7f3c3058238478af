/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/symbol.h"
#include "plan/diag.h"
#include "plan/run.h"

/*
 * Checks that the functions of a configuration exist. The caller provides the functions:
 * those that a kernel can trace, or those of a System.map.
 */
typedef int kft_function_visit(void *arg, const char *name, size_t len, uint64_t addr);

struct kft_functions {
	/*
	 * Calls visit for each function until it returns other than 0, and returns that
	 * value. addr is 0 if it is not known. Repeated calls give the same functions.
	 */
	int (*each)(void *ctx, kft_function_visit *visit, void *arg);
	void *ctx; /* borrowed */
	/* "this kernel", "System.map": source of the functions, for messages; borrowed */
	const char *what;
};

/*
 * Visits all symbols of a table, which is borrowed while in use. The table does not
 * distinguish data from functions.
 */
struct kft_functions kft_functions_of_symbols(const struct kft_symbol_table *t,
					      const char *what);

/*
 * Sets match_count in every function of the configuration. A missing function is added to
 * diags with the most similar names, and so is a trigger's name that matches several:
 * -EINVAL then. -ENOMEM, or a negative result of each().
 */
int kft_config_resolve(struct kft_config *c, const struct kft_functions *fns,
		       struct kft_diags *diags) __must_check;
