/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"

/*
 * `kft why -- COMMAND`: records the events that kft why needs while COMMAND runs, into
 * CLI_TRACE_DEFAULT, for a verb that reads that trace then. argv: COMMAND and its arguments, ends with
 * NULL. operands are those of the verb: none of them may be a file, as the trace is the recorded one.
 * CLI_OK, or the status to exit with: that of kft record if nothing was recorded.
 */
int cli_record_first(struct cli *c, char **operands, int n_operands, char **argv);
