/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"
#include "model/scope.h"
#include "model/trace.h"

struct cli_report_flat {
	const char *path; /* for messages; borrowed, like the other pointers */
	struct kft_trace *trace;
	const struct kft_scope *scope;
	const uint32_t *pids; /* only calls of these tasks; n_pids 0: all */
	size_t n_pids;
	bool json;
};

/*
 * `kft report --flat`: prints all calls of functions, one per line, in the order of their
 * entries. All are kept in memory until the last one is known. Returns the exit status.
 */
int cli_report_flat(struct cli *c, const struct cli_report_flat *how);
