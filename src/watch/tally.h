/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_WATCH_TALLY_H
#define KFT_WATCH_TALLY_H

#include <time.h>

#include "watch/watcher.h"

/* How often conditions came, and when they count again. */
struct kft_watch_tally_row {
	uint64_t times;
	uint64_t rests_until_ns;
	time_t last;
	char why[64];
};

struct kft_watch_tally {
	const struct kft_watch_opts *opts; /* borrowed */
	struct kft_watch_tally_row *rows; /* owned; of each condition */
	uint64_t missed; /* events that nobody looked at, or KFT_LOST_UNKNOWN */
	bool in_kernel; /* it finds what it can */
	char along[128]; /* why it does not; "": nobody asked it to */
};

int kft_watch_tally_init(struct kft_watch_tally *t, const struct kft_watch_opts *opts,
			 struct kft_err *e) __must_check;
void kft_watch_tally_finish(struct kft_watch_tally *t);

/* All of them, and who finds them. */
struct kft_conditions kft_watch_conditions(const struct kft_watch_tally *t);

/* Whether a condition that came counts; it is noted then. */
bool kft_watch_counts(struct kft_watch_tally *t, const struct kft_seen *seen);

/* Its actions are over: what came meanwhile does not count, nor does what comes soon. */
void kft_watch_rests(struct kft_watch_tally *t, size_t condition, uint64_t now_ns);

#endif
