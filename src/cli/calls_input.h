/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_CALLS_INPUT_H
#define KFT_CLI_CALLS_INPUT_H

#include "cli/verb.h"
#include "derive/calls.h"

/* Calls of functions from what has them: a KFT log, on a pipe too, or a trace. */

/*
 * Feeds the sink with all calls of path ("-": standard input), their names being put into
 * names. Returns the exit status; c->err is set unless that is CLI_OK. What was passed
 * over is noted on standard error.
 */
int cli_calls_feed(struct cli *c, const char *path, const struct kft_nest_sink *sink,
		   struct kft_intern *names);

/* The same from an open trace, of which path is the name; scope NULL: all of it. */
int cli_calls_feed_trace(struct cli *c, const char *path, struct kft_trace *t,
			 const struct kft_scope *scope, const struct kft_nest_sink *sink,
			 struct kft_intern *names, struct kft_calls_found *ret);

/* Whether path is a trace, as opposed to a log or what cannot be opened. */
bool cli_calls_from_trace(const char *path);

#endif
