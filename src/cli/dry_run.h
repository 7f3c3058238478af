/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/plan.h>

#include "cli/verb.h"
#include "cli/watch_args.h"

/*
 * --dry-run: tries the mechanisms that the plans need, undoes that, and prints how each
 * part would be carried out. Nothing is recorded. The exit status is failure when a
 * mechanism is missing. detached: the session would outlive the command. watch: its
 * conditions; NULL: none.
 */
int cli_dry_run(struct cli *c, int format, const struct kft_plan *plans, size_t n,
		bool detached, const struct cli_watch_args *watch);

#define CLI_DRY_RUN_OPT(arg)                                                        \
	{                                                                           \
		0, "dry-run", NULL,                                                 \
			"say what would be switched on, by what and at what cost, " \
			"and what this kernel lacks; record nothing",               \
			KFT_OPT_FLAG, &(arg)                                        \
	}
