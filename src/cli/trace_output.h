/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/error.h>

#include "base/map.h"
#include "base/strbuf.h"

/* The output of `kft trace`: standard error, a file, or a file for each task. */
struct cli_trace_output {
	const char *path; /* -o, borrowed; NULL: standard error */
	bool apart; /* -ff: PATH.PID */
	int fd; /* owned, unless it is that of standard error */
	struct kft_map
		fds; /* with apart: pid: descriptor + 1, or that the file is closed */
	size_t n_open; /* of fds */
	int error; /* -errno of the first failure; nothing is written after it */
};

int cli_trace_output_open(struct cli_trace_output *o, struct kft_err *e) __must_check;

/* Writes text and empties it; as kft_strace_options.write. Text for a file may wait for more. */
void cli_trace_output_write(void *output, pid_t tid, struct kft_strbuf *text);

/* Writes all of the text, as at the end. */
void cli_trace_output_flush(struct cli_trace_output *o, struct kft_strbuf *text);

void cli_trace_output_finish(struct cli_trace_output *o);
