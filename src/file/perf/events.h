/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/perf/state.h"

/*
 * The events that a record is shown as, in this order: the kernel's own record of a
 * tracepoint's sample, borrowed from the file's bytes, or a made-up one for any other
 * sample (classes.h), held in stage; then its call chain as the stack events that
 * ftrace would have recorded.
 */
struct kft_perf_events {
	const struct kft_perf *p; /* borrowed */
	const uint64_t *wanted; /* borrowed; see kft_stream.wanted */
	const uint8_t *rec; /* the current record, borrowed */
	size_t rec_size;
	struct kft_perf_place place;
	struct kft_perf_sample sample;
	unsigned int step;
	uint8_t *stage; /* owned, for made-up records; NULL until the first one */
	size_t stage_len;
};

void kft_perf_events_init(struct kft_perf_events *s, const struct kft_perf *p);
void kft_perf_events_finish(struct kft_perf_events *s);

/* The caller has finished with all events so far: their room is used again. */
void kft_perf_events_clear(struct kft_perf_events *s);

/*
 * Sets the current record: a sample (place has its attr), THROTTLE or UNTHROTTLE.
 * -EBADMSG when it is truncated; it has no events then.
 */
int kft_perf_events_take(struct kft_perf_events *s, const uint8_t *rec, size_t size,
			 const struct kft_perf_place *place) __must_check;

/* Drops the events of the current record that were not returned yet. */
void kft_perf_events_drop(struct kft_perf_events *s);

/*
 * 1 with the record's next event (its time, id, data and size), 0 when it has no more;
 * -EAGAIN when the stage is full until a clear; -EBADMSG when a tracepoint's sample
 * lacks the kernel's record.
 */
int kft_perf_events_next(struct kft_perf_events *s, struct kft_event *ret);
