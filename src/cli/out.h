/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "base/strbuf.h"

/*
 * Standard output in large blocks. Verbs append to sb and call cli_out_drain() regularly;
 * main() flushes at the end. The first write error is kept and stops all output, so that
 * a full disk or a closed pipe is never reported as success.
 */
#define CLI_OUT_BLOCK ((size_t)256 * 1024)

struct cli_out {
	struct kft_strbuf sb;
	int fd;
	int error; /* -errno of the first failed write, 0 */
	size_t width; /* columns of the terminal that fd is, also behind a pager; else 0 */
	/* Called once before the first write; may redirect fd. NULL: not needed. */
	void (*start)(struct cli_out *out);
};

/* Columns of the terminal on fd: COLUMNS if it is set, else the terminal's; 0 for anything else. */
size_t cli_terminal_width(int fd);

/* Call this before anything else is written to fd. */
void cli_out_start(struct cli_out *out);

/* Writes the buffer. 0 or the first error. */
int cli_out_flush(struct cli_out *out);

/* Writes when a block is full; cheap otherwise. */
static inline int cli_out_drain(struct cli_out *out)
{
	return likely(out->sb.len < CLI_OUT_BLOCK) ? out->error : cli_out_flush(out);
}
