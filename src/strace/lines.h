/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/traced_sink.h"
#include "strace/choose.h"
#include "strace/summary.h"
#include "strace/text.h"

/* What followed tasks do as lines of text, as strace(1) writes them. */

enum kft_strace_clock {
	KFT_STRACE_NO_CLOCK,
	KFT_STRACE_SECONDS, /* -t: time of day */
	KFT_STRACE_MICROSECONDS, /* -tt */
	KFT_STRACE_EPOCH, /* -ttt: seconds since 1970 */
};

struct kft_strace_options {
	struct kft_strace_style style;
	struct kft_strace_choice choice;
	enum kft_strace_clock clock;
	bool since_last; /* -r: time since the last line began */
	bool durations; /* -T */
	bool lines; /* false: only counts */
	bool counts;
	bool counts_wall; /* -w: counts have the time from entry to exit */
	bool colour; /* errors, signals and ends in the colours of a terminal */
	bool tasks_apart; /* -ff: each task has a file of its own */
	bool pid_columns; /* the pid begins each line, as in a file with -f */
	size_t column; /* of the results (-a) */
	const char *const *paths; /* -P: only calls on these; ends with NULL; NULL: all */
	/*
	 * Is called after each line and when nothing happens: writes text out and empties it, or
	 * leaves it for a later call. tid: the task of the file, with tasks_apart.
	 */
	void (*write)(void *arg, pid_t tid, struct kft_strbuf *text);
	void *arg; /* borrowed; of write */
};

struct kft_strace_lines;

/* The options are borrowed. NULL when memory runs out. */
struct kft_strace_lines *kft_strace_lines_create(const struct kft_strace_options *o);
void kft_strace_lines_destroy(struct kft_strace_lines *l);
KFT_DEFINE_CLEANUP(struct kft_strace_lines *, kft_strace_lines_destroy)

/* The sink for an engine. */
struct kft_traced_sink kft_strace_lines_sink(struct kft_strace_lines *l);

/* Counts of the calls, with `counts`; borrowed. */
const struct kft_strace_summary *
kft_strace_lines_summary(const struct kft_strace_lines *l);
