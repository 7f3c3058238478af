/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/vec.h"
#include "model/meta.h"

/*
 * Notices interference with an instance that records: another program or a trigger
 * (traceoff) switches tracing_on off, or a program empties the buffers by opening "trace"
 * for writing. Another reader of the buffers is noticed by struct kft_account. One thread
 * uses it.
 *
 * The kernel does not count such changes, so tracing_on is polled. inotify reports a
 * program that writes to it between two polls; a traceoff trigger that is followed by a
 * traceon trigger before the next poll goes unnoticed.
 */
struct kft_others {
	int instance_fd; /* borrowed */
	int stats_fd; /* of any CPU, for the buffer's clock; owned */
	int inotify_fd; /* owned; -1: tracing_on is only polled */
	int switch_watch; /* watch of tracing_on */
	int trace_watch;
	uint64_t start_ts; /* the buffer's clock when recording began */
	bool emptied; /* the buffers were emptied at some time */
	bool is_off; /* tracing_on was 0 at the last poll */
	uint64_t on_ts; /* the buffer's clock when it was last known to be on */
	uint64_t on_ns; /* the same on CLOCK_MONOTONIC */
	uint64_t off_ns; /* upper bound of the time it was off, up to the last poll */
	/* cpu is unused: a range is for all CPUs */
	KFT_VEC(struct kft_lost_range) ranges;
};

/* Call when recording has been switched on. If a file is missing, less is noticed. */
void kft_others_open(struct kft_others *s, int instance_fd);
void kft_others_close(struct kft_others *s);

/*
 * Polls the instance; true when a span without recording has ended. last: recording is
 * about to end, which ends a span, too.
 */
bool kft_others_look(struct kft_others *s, bool last);

/* Call when recording is on again after a pause, during which nothing was polled. */
void kft_others_resume(struct kft_others *s);

/* Adds all spans to meta.lost, once for each CPU in meta.stats. -ENOMEM. */
int kft_others_report(const struct kft_others *s, struct kft_meta *meta) __must_check;
