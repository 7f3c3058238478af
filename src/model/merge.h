/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/scope.h"
#include "model/trace.h"

/*
 * All events of a trace, or of some of its CPUs, in one order: by time stamp; at equal
 * times by buffer, then CPU, then their order in the stream. The cost per event grows
 * with the logarithm of the number of CPUs.
 */
struct kft_merge;

/*
 * The trace, and everything that scope (copied; NULL: the whole trace) borrows, must
 * outlive the merge; only one merge reads a trace at a time. -ENOMEM.
 */
int kft_merge_create(struct kft_trace *t, const struct kft_scope *scope,
		     struct kft_merge **ret) __must_check;
struct kft_merge *kft_merge_destroy(struct kft_merge *m);
KFT_DEFINE_CLEANUP(struct kft_merge *, kft_merge_destroy)

/*
 * The next event, borrowed until the next call: 1, 0 at the end, -errno. A stream that
 * fails ends there and the others go on; its error is in its damage. For a trace that is
 * still being written -EAGAIN when the next event needs a kft_merge_more().
 */
int kft_merge_next(struct kft_merge *m, const struct kft_event **ret);

/* Waits for more of the trace, after -EAGAIN. 0, or an error of kft_trace.more. */
int kft_merge_more(struct kft_merge *m) __must_check;

/*
 * The event after *ev in its own stream, where *ev is the last event of kft_merge_next():
 * NULL when there is none (yet), or *ev is too large to be copied. *ev may move. Both are
 * borrowed until the next event.
 */
const struct kft_event *kft_merge_peek(struct kft_merge *m, const struct kft_event **ev);

/* Makes kft_merge_next() skip the event that was peeked at. */
void kft_merge_drop_peeked(struct kft_merge *m);
