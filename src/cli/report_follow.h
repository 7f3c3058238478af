/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_REPORT_FOLLOW_H
#define KFT_CLI_REPORT_FOLLOW_H

#include "cli/verb.h"
#include "model/merge.h"

/*
 * As cli_input_open(), but of a recording that comes as a stream as far as it is there: its
 * trace grows (kft_trace.more). What is shown goes to the terminal as it comes then, without
 * a pager, and the first interrupt is the recorder's, which ends the stream.
 */
int cli_report_follow(struct cli *c, const char *path,
		      struct kft_trace **ret) __must_check;

/* The next event, once it is there; all lines before are written when that takes time. */
int cli_report_next(struct cli *c, struct kft_merge *m,
		    const struct kft_event **ret) __must_check;

#endif
