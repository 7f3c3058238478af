/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"
#include "model/merge.h"

/*
 * Does the same as cli_input_open(), but opens a streamed recording as far as it
 * has come: its trace grows (kft_trace.more). The output then goes to the
 * terminal at once, without a pager, and the first interrupt is left to the
 * recorder, which ends the stream.
 */
int cli_report_follow(struct cli *c, const char *path,
		      struct kft_trace **ret) __must_check;

/* Waits for the next event; output is flushed before a long wait. */
int cli_report_next(struct cli *c, struct kft_merge *m,
		    const struct kft_event **ret) __must_check;
