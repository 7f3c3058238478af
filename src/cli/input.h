/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_INPUT_H
#define KFT_CLI_INPUT_H

#include "cli/verb.h"
#include "model/trace.h"

#define CLI_TRACE_DEFAULT "trace.dat"

/* The trace file that a verb's operands name; the default without any. */
const char *cli_input_path(int argc, char **argv);

/* The worst that is wrong with a trace after reading it; false when nothing is. */
bool cli_input_damage(struct kft_trace *t, struct kft_err *ret);

/*
 * After all output: prints the trace's notes, and puts what is damaged into c->err.
 * Returns the exit status that this means.
 */
int cli_input_finish(struct cli *c, const char *path, struct kft_trace *t);

#endif
