/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_BOOT_SAVE_H
#define KFT_CLI_BOOT_SAVE_H

#include "cli/verb.h"

/*
 * Writes the run that this machine's boot was to a trace, and gives the kernel back. Says on
 * standard output what was kept and dropped. 0 or -errno, c->err set.
 */
int cli_boot_save(struct cli *c, const char *output, bool quiet) __must_check;

#endif
