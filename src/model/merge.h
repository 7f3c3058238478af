/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_MERGE_H
#define KFT_MODEL_MERGE_H

#include "model/scope.h"
#include "model/trace.h"

/*
 * All events of a trace, or of some of its CPUs, in one order: by time stamp; at equal
 * times by buffer, then CPU, then their order in the stream. The cost per event does not
 * grow with the number of CPUs but with its logarithm.
 */
struct kft_merge;

/*
 * The trace, and what scope (copied; NULL: everything) borrows, outlive the merge; only
 * one merge reads a trace at a time. -ENOMEM.
 */
int kft_merge_create(struct kft_trace *t, const struct kft_scope *scope,
		     struct kft_merge **ret) __must_check;
struct kft_merge *kft_merge_destroy(struct kft_merge *m);
KFT_DEFINE_CLEANUP(struct kft_merge *, kft_merge_destroy)

/*
 * The next event, borrowed until the next call: 1, 0 at the end, -errno. A stream that
 * fails ends there and the others go on; its error is in its damage. Of a trace that is
 * still being written -EAGAIN where kft_merge_more() has to wait for the next one.
 */
int kft_merge_next(struct kft_merge *m, const struct kft_event **ret);

/* After -EAGAIN: waits for more of the trace. 0, or what kft_trace.more fails with. */
int kft_merge_more(struct kft_merge *m) __must_check;

/*
 * The event that follows *ev, which kft_merge_next() gave last, in its own stream: NULL
 * when there is none (yet), or *ev is too large to be kept for it. *ev may move. Both are
 * borrowed until the next event.
 */
const struct kft_event *kft_merge_peek(struct kft_merge *m, const struct kft_event **ev);

/* kft_merge_next() will not give what was peeked at. */
void kft_merge_drop_peeked(struct kft_merge *m);

#endif
