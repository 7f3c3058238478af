/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "base/opt.h"
#include "model/trace.h"

/* For verbs that may read a trace for a long time. */
/* clang-format off */
#define CLI_QUIET_OPT                                                                    \
	{'q', "quiet", NULL, "show no progress on a terminal", KFT_OPT_FLAG, &cli_quiet}
/* clang-format on */
extern bool cli_quiet;

/*
 * After a second, a line on standard error shows the number of events that were read, if
 * that is a terminal and --quiet was not given. The line is erased by cli_progress_end(),
 * and before other output to a terminal.
 */
struct cli_progress {
	const struct kft_trace *trace; /* borrowed */
};

#if HAVE_VIEWERS
/* Begin before the trace is read, end before it is destroyed. Only one at a time. */
void cli_progress_begin(struct cli_progress *p, const struct kft_trace *t);
void cli_progress_end(struct cli_progress *p);

/* Erases the line and stops, because other output follows. */
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
