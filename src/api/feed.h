/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/sink.h"
#include "model/trace.h"

/*
 * A sink that stores nothing: it gives a capture's events to the recording program as they
 * happen, in the order of time. It reads each CPU's pages when the program asks
 * for events; until then they wait in the kernel's buffer. The buffer's size limits how
 * far the program can fall behind before events are lost.
 *
 * An event is returned once every CPU was read to its end at least KFT_FEED_SLACK_NS
 * after the event's time: records that were being written at that time are in order. Only
 * if its writer was interrupted for longer does an event come after later ones of other
 * CPUs.
 *
 * One thread uses a feed, except that any thread may call the sink's lost.
 */
struct kft_feed;

#define KFT_FEED_SLACK_NS 1000000

/* -ENOMEM, or an error of creating the descriptors. Owned by the caller. */
int kft_feed_create(struct kft_feed **ret) __must_check;

/*
 * Must be called after the capture is closed, as the capture's threads use the sink
 * until then; the trace borrows texts of the capture and must not be used after
 * that close. NULL is ignored.
 */
struct kft_feed *kft_feed_destroy(struct kft_feed *f);

/*
 * Borrowed. Its destroy does nothing. begin returns -EINVAL for a clock
 * that programs cannot read.
 */
struct kft_sink *kft_feed_sink(struct kft_feed *f);

/* The trace of the events, without streams; NULL before the sink was begun. Borrowed. */
struct kft_trace *kft_feed_trace(struct kft_feed *f);

/* A descriptor that is readable when there may be events. Borrowed. */
int kft_feed_fd(const struct kft_feed *f);

/*
 * The next event, borrowed until the next call: 1; -EAGAIN when there is none
 * yet; 0 when the capture was stopped and all events were returned; -errno of
 * reading from the kernel.
 */
int kft_feed_next(struct kft_feed *f, const struct kft_event **ret) __must_check;
