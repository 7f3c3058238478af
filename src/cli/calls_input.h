/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/input.h"
#include "derive/calls/calls.h"

/* Reads calls of functions from a KFT log, which may be a pipe, or from a trace. */

struct cli_calls_source {
	const char *name; /* for messages; borrowed */
	struct kft_trace *trace; /* owned; NULL: the input is a log, or some other text */
	int fd; /* owned: the text */
	/* the text's first bytes, already read from fd */
	uint8_t head[KFT_FILE_HEAD_BYTES];
	size_t head_len;
};

/* path "-" is standard input; like a FIFO, it may be a log or a trace. */
int cli_calls_open(const char *path, struct cli_calls_source *ret,
		   struct kft_err *e) __must_check;
void cli_calls_finish(struct cli_calls_source *src);

/*
 * Passes all calls of the source to the sink; their names are added to names.
 * Returns the exit status; c->err is set unless it is CLI_OK. Skipped input
 * is noted on standard error.
 */
int cli_calls_feed(struct cli *c, struct cli_calls_source *src,
		   const struct kft_nest_sink *sink, struct kft_intern *names);

/* Passes the calls of an open trace with the name path in the same way; scope NULL: all calls. */
int cli_calls_feed_trace(struct cli *c, const char *path, struct kft_trace *t,
			 const struct kft_scope *scope, const struct kft_nest_sink *sink,
			 struct kft_intern *names, struct kft_calls_found *ret);
