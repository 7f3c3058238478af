/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <time.h>

#include "watch/match.h"

/* Counts of conditions that were met, and the times until which they are ignored. */
struct kft_watch_tally_row {
	uint64_t times;
	uint64_t rests_until_ns;
	time_t last;
	char why[64];
};

struct kft_watch_tally {
	const struct kft_watch_opts *opts; /* borrowed */
	struct kft_watch_tally_row *rows; /* owned; one for each condition */
	uint64_t missed; /* number of missed events, or KFT_LOST_UNKNOWN */
	bool in_kernel; /* the kernel finds the conditions that it can */
	/* Why the kernel does not find them; "": it was not asked to. */
	char along[128];
};

int kft_watch_tally_init(struct kft_watch_tally *t, const struct kft_watch_opts *opts,
			 struct kft_err *e) __must_check;
void kft_watch_tally_finish(struct kft_watch_tally *t);

/* The watcher's conditions, and whether the kernel finds them. */
struct kft_conditions kft_watch_conditions(const struct kft_watch_tally *t);

/* Returns whether a condition that was met counts, and increments its count if so. */
bool kft_watch_counts(struct kft_watch_tally *t, const struct kft_seen *seen);

/*
 * Called after a condition's actions, at now_ns: the condition does not count if it was
 * met before now_ns, or is met within rest_ns after.
 */
void kft_watch_rests(struct kft_watch_tally *t, size_t condition, uint64_t now_ns);
