/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/session.h>

/*
 * The output of kft record on standard error: a progress line, if that is a terminal, and
 * a summary of the finished trace.
 */
void cli_record_progress(const struct kft_progress *p);

/* Erases the progress line, if any. */
void cli_record_progress_clear(void);

/* Whether everything was recorded, apart from events lost for lack of room. */
bool cli_record_is_whole(const struct kft_progress *p);

/*
 * Prints a line on the contents of the trace at path, and one more for each other reason
 * why events are missing. The losses of each CPU come from the file, so that they are
 * those stored there. path NULL: of a stream. quiet: print only missing events.
 */
void cli_record_summary(const char *path, const struct kft_progress *p, bool quiet);
