/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "watch/match.h"

/*
 * The cause of a snapshot, stored in a marker at the snapshot's end: "kft: snapshot on irq >
 * 5ms: 7.02 ms on CPU 0, at 4711.123456789".
 */
#define KFT_WATCH_CAUSE_MAX 256

/* Writes the text after "kft: snapshot ". */
void kft_watch_cause(const struct kft_condition *c, const struct kft_seen *seen,
		     char ret[static KFT_WATCH_CAUSE_MAX]);

struct kft_watch_cause {
	char text[KFT_WATCH_CAUSE_MAX];
	struct kft_condition condition; /* owned; without actions */
	uint64_t at_ns; /* when it was met, ns on CLOCK_MONOTONIC */
};

/*
 * 1 and the cause when the trace is a snapshot that a condition took, 0 when not.
 * Must be finished after 1.
 */
int kft_watch_cause_find(struct kft_trace *t, struct kft_watch_cause *ret,
			 struct kft_err *e) __must_check;
void kft_watch_cause_finish(struct kft_watch_cause *c);
