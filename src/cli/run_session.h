/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"
#include "session/detached.h"

/* Shared by the verbs for KFT runs. A session is a run and has its name. */
#define CLI_RUN_NAME "kft" /* the default name */

#define CLI_RUN_NAME_OPT(var)                                                  \
	{                                                                      \
		'n', "name", "NAME", "name of the session (" CLI_RUN_NAME ")", \
			KFT_OPT_STRING, &(var)                                 \
	}

/* For verbs with a session's name as their only argument: their options, and the name. */
extern const struct kft_opt cli_run_opts[];
extern const char *cli_run_name;

/* Call this first in a verb's run(): the session can also be named without -n. */
static inline void cli_run_named(int argc, char **argv, const char **name)
{
	if (argc)
		*name = argv[0];
}
#define CLI_RUN_OPERAND .operands = "[NAME]", .max_operands = 1

/* Prints notes. */
extern const struct kft_notify cli_run_notify;

/* Opens the session, calls step() (0 or -errno), closes it. Returns the exit status. */
int cli_run_step(struct cli *c, const char *name,
		 int (*step)(struct cli *c, struct kft_detached *d)) __must_check;

/* Like cli_run_step(), for a step after which the session needs a keeper process. */
int cli_run_step_and_keep(struct cli *c, const char *name,
			  int (*step)(struct cli *c,
				      struct kft_detached *d)) __must_check;

/*
 * Checks a configuration file (mistakes are printed), and loads run `index` of
 * it; ret is open afterwards. *ret_count is the number of runs in the file. 0
 * or -errno with c->err set.
 */
int cli_run_load(struct cli *c, const char *name, const char *path, size_t index,
		 uint64_t buffer_bytes, struct kft_detached *ret,
		 size_t *ret_count) __must_check;
