/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_OTHERS_H
#define KFT_TRACEFS_OTHERS_H

#include "base/vec.h"
#include "model/meta.h"

/*
 * Notices what other programs do to an instance while it records: that tracing_on is
 * switched off, by one of them or by a trigger (traceoff), and that the buffers are
 * emptied, by opening "trace" for writing. Another reader of the buffers is for struct
 * kft_account to notice. One thread uses it.
 *
 * The kernel keeps no account of that. tracing_on is looked at now and then; a program that
 * writes to it is noticed in between, too (inotify), a trigger that is followed by another
 * one (traceon) before the next look is not.
 */
struct kft_others {
	int instance_fd; /* borrowed */
	int stats_fd; /* of any CPU, for the buffer's clock; owned */
	int inotify_fd; /* owned; -1: tracing_on is only looked at */
	int switch_watch; /* of inotify_fd */
	int trace_watch;
	uint64_t start_ts; /* the buffer's clock when recording began */
	bool emptied; /* at any time */
	bool is_off; /* at the last look */
	uint64_t on_ts; /* the buffer's clock when it was last known to be on */
	uint64_t on_ns; /* the same on CLOCK_MONOTONIC */
	uint64_t off_ns; /* how long it was off, at most, up to the last look */
	KFT_VEC(struct kft_lost_range) ranges; /* cpu is of no meaning */
};

/* Recording is on from now. Where something is missing, less is noticed. */
void kft_others_open(struct kft_others *s, int instance_fd);
void kft_others_close(struct kft_others *s);

/*
 * A look at it: true when a span without recording ended with it. last: recording is about to end, a span ends with it.
 */
bool kft_others_look(struct kft_others *s, bool last);

/* Recording is on again after a pause, in which nothing was looked at. */
void kft_others_resume(struct kft_others *s);

/* Adds all spans to what meta says is lost, for each CPU that it has counters of. -ENOMEM. */
int kft_others_report(const struct kft_others *s, struct kft_meta *meta) __must_check;

#endif
