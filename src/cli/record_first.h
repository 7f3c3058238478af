/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"

/*
 * `kft why -d 10s`, `kft why -- COMMAND`: verbs with takes_command record the events that kft why needs
 * into CLI_TRACE_DEFAULT, and then read that trace.
 */
struct cli_first {
	char **command; /* with its arguments, ends with NULL; NULL: none was given */
	uint64_t duration_ns; /* 0: until COMMAND ends */
	bool is_live; /* --live: the kernel counts, and nothing is recorded */
	bool all; /* -a: the whole system; without a recording, verbs take it for --all */
};
extern struct cli_first cli_first;

/* clang-format off */
#define CLI_FIRST_OPTS(a_help)                                                           \
	{'d', "duration", "TIME",                                                        \
	 "record the whole system for TIME first, or COMMAND for at most TIME",          \
	 KFT_OPT_DURATION, &cli_first.duration_ns},                                      \
	{'a', NULL, NULL, a_help, KFT_OPT_FLAG, &cli_first.all}
/* clang-format on */

static inline bool cli_first_is_given(void)
{
	return cli_first.command || cli_first.duration_ns;
}

static inline bool cli_first_means_all(void)
{
	return cli_first.all && !cli_first_is_given();
}

/*
 * Records if that is asked for. operands are those of the verb: none of them may be a file, as the
 * trace is the recorded one. CLI_OK, or the status to exit with: that of kft record if nothing was
 * recorded.
 */
int cli_record_first(struct cli *c, char **operands, int n_operands);
