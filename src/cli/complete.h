/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"

/*
 * The interface for shell completion: `kft __complete WORD...`, with the words after
 * "kft" up to the cursor; the last one (perhaps empty) is completed. Prints one candidate
 * per line; a line ":files" or ":commands" requests that the shell adds those.
 */
#define CLI_COMPLETE_VERB "__complete"

int cli_complete(struct cli *c, int argc, char **argv);
