/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_PROGRESS_H
#define KFT_CLI_PROGRESS_H

#include "base/opt.h"
#include "model/trace.h"

/* Of a verb that may read a trace for long. */
/* clang-format off */
#define CLI_QUIET_OPT                                                                    \
	{'q', "quiet", NULL, "show no progress on a terminal", KFT_OPT_FLAG, &cli_quiet}
/* clang-format on */
extern bool cli_quiet;

/*
 * From a second on a line on standard error says how many events of a trace were read, when
 * that is a terminal and --quiet was not given. The line goes with cli_progress_end(), or
 * before anything else that goes to a terminal.
 */
struct cli_progress {
	const struct kft_trace *trace; /* borrowed */
};

#if HAVE_VIEWERS
/* Before the trace is read; ends before it is destroyed. One at a time. */
void cli_progress_begin(struct cli_progress *p, const struct kft_trace *t);
void cli_progress_end(struct cli_progress *p);

/* Something else is about to be shown: no more of the line. */
void cli_progress_give_way(void);
#else
static inline void cli_progress_begin(struct cli_progress *p, const struct kft_trace *t)
{
}

static inline void cli_progress_end(struct cli_progress *p)
{
}

static inline void cli_progress_give_way(void)
{
}
#endif

#endif
