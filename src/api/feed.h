/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_API_FEED_H
#define KFT_API_FEED_H

#include "model/sink.h"
#include "model/trace.h"

/*
 * The events of a capture as they happen, in the order of time, for the program that
 * records: a sink that keeps nothing. It reads each CPU's pages when the program asks for
 * events; until then they wait in the kernel's buffer, whose size is how far the program
 * may fall behind before events are lost.
 *
 * An event is given once every CPU was read to its end at a time that lies after it by
 * KFT_FEED_SLACK_NS: a record that was under way then is still in order. Only an event
 * whose writer was interrupted for longer comes late, behind later ones of other CPUs.
 *
 * One thread uses a feed, but the sink's lost may come from any.
 */
struct kft_feed;

#define KFT_FEED_SLACK_NS 1000000

/* -ENOMEM, or what the descriptor to wait for needs. Owned by the caller. */
int kft_feed_create(struct kft_feed **ret) __must_check;

/*
 * After the capture is closed, whose threads hand on what they read; the trace, which borrows the
 * capture's texts, must not be asked any more then. NULL is fine.
 */
struct kft_feed *kft_feed_destroy(struct kft_feed *f);

/* Borrowed. Its destroy does nothing. begin is -EINVAL for a clock that cannot be read. */
struct kft_sink *kft_feed_sink(struct kft_feed *f);

/* What the events are of, without streams; NULL before the sink was begun. Borrowed. */
struct kft_trace *kft_feed_trace(struct kft_feed *f);

/* Readable when there may be events. Borrowed. */
int kft_feed_fd(const struct kft_feed *f);

/*
 * The next event, borrowed until the next call: 1; -EAGAIN when there is none yet; 0 when
 * the capture was stopped and all was given; what reading from the kernel failed with.
 */
int kft_feed_next(struct kft_feed *f, const struct kft_event **ret) __must_check;

#endif
