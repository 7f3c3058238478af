/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_CALLS_INPUT_H
#define KFT_CLI_CALLS_INPUT_H

#include "cli/input.h"
#include "derive/calls.h"

/* Calls of functions from what has them: a KFT log, on a pipe too, or a trace. */

struct cli_calls_source {
	const char *name; /* for messages; borrowed */
	struct kft_trace *trace; /* owned; NULL: it is a log, or text that is none */
	int fd; /* owned: of the text */
	uint8_t head[KFT_FILE_HEAD_BYTES]; /* of the text, read from fd before */
	size_t head_len;
};

/* path "-" is standard input; like a FIFO it may have either. */
int cli_calls_open(const char *path, struct cli_calls_source *ret,
		   struct kft_err *e) __must_check;
void cli_calls_finish(struct cli_calls_source *src);

/*
 * Feeds the sink with all calls of the source, their names being put into names. Returns
 * the exit status; c->err is set unless that is CLI_OK. What was passed over is noted on
 * standard error.
 */
int cli_calls_feed(struct cli *c, struct cli_calls_source *src,
		   const struct kft_nest_sink *sink, struct kft_intern *names);

/* The same from an open trace, of which path is the name; scope NULL: all of it. */
int cli_calls_feed_trace(struct cli *c, const char *path, struct kft_trace *t,
			 const struct kft_scope *scope, const struct kft_nest_sink *sink,
			 struct kft_intern *names, struct kft_calls_found *ret);

#endif
