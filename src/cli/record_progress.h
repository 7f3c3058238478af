/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_RECORD_PROGRESS_H
#define KFT_CLI_RECORD_PROGRESS_H

#include <kft/session.h>

/*
 * What kft record says on standard error: a line that is written over while it runs, when
 * that is a terminal, and a summary of the finished trace.
 */
void cli_record_progress(const struct kft_progress *p);

/* Takes the line away. Does nothing when none was written. */
void cli_record_progress_clear(void);

/* Whether all that was to be recorded was, what had no room apart. */
bool cli_record_is_whole(const struct kft_progress *p);

/*
 * One line on what the trace at path holds. The losses of each CPU are those that the
 * file says, so that what is printed is what was stored; path NULL: of a stream; one more for each other
 * reason why events are missing; quiet: only what is missing is told.
 */
void cli_record_summary(const char *path, const struct kft_progress *p, bool quiet);

#endif
