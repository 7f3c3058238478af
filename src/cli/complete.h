/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_COMPLETE_H
#define KFT_CLI_COMPLETE_H

#include "cli/verb.h"

/*
 * What a shell's completion asks: `kft __complete WORD...`, the words after "kft" up to
 * the cursor, the last one (perhaps empty) being completed. One candidate a line; a line
 * ":files" or ":commands" says that the shell shall add those itself.
 */
#define CLI_COMPLETE_VERB "__complete"

int cli_complete(struct cli *c, int argc, char **argv);

#endif
