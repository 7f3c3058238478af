/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/out.h"

/* For verbs with output that may be longer than a screen. */
/* clang-format off */
#define CLI_PAGER_OPT                                                                    \
	{0, "no-pager", NULL, "do not show long output on a terminal with a pager",      \
	 KFT_OPT_FLAG, &cli_no_pager},                                                   \
	{0, "color", "[WHEN]", "colours: always, never, or auto: on a terminal (auto)",  \
	 KFT_OPT_ENUM, &cli_colour, cli_colour_words}
/* clang-format on */
extern bool cli_no_pager;

/*
 * The first write starts a pager if standard output is a terminal: KFT_PAGER,
 * else PAGER, else less; none if that is empty or cat. Standard error goes there
 * as well, if it is a terminal.
 */
void cli_pager_prepare(struct cli_out *out);

bool cli_pager_is_there(void);

/* Waits until the user quits the pager. */
void cli_pager_end(struct cli_out *out);
