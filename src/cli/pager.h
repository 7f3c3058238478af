/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_PAGER_H
#define KFT_CLI_PAGER_H

#include "cli/out.h"

/* Of a verb that may print more than a screen holds. */
#define CLI_PAGER_OPT                                                         \
	{                                                                     \
		0, "no-pager", NULL,                                          \
			"do not show long output on a terminal with a pager", \
			KFT_OPT_FLAG, &cli_no_pager                           \
	}
extern bool cli_no_pager;

/*
 * What is written first starts a pager, when standard output is a terminal: KFT_PAGER, else
 * PAGER, else less; none when that is empty or cat. What is printed on standard error goes
 * there, too, when that is a terminal.
 */
void cli_pager_prepare(struct cli_out *out);

bool cli_pager_is_there(void);

/* Waits until its user has seen enough. */
void cli_pager_end(struct cli_out *out);

#endif
