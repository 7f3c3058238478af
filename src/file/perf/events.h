/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_EVENTS_H
#define KFT_FILE_PERF_EVENTS_H

#include "file/perf/state.h"

/*
 * The events that a record is shown as, one after the other: the kernel's own of a
 * tracepoint's sample, borrowed; one made up of any other sample (classes.h), kept here;
 * and its call chain as the stacks that ftrace would have recorded.
 */
struct kft_perf_events {
	const struct kft_perf *p; /* borrowed */
	const uint64_t *wanted; /* as kft_stream.wanted; borrowed */
	const uint8_t *rec; /* borrowed */
	size_t rec_size;
	struct kft_perf_place place;
	struct kft_perf_sample sample;
	unsigned int step;
	uint8_t *stage; /* owned: what is made up; NULL until something is */
	size_t stage_len;
};

void kft_perf_events_init(struct kft_perf_events *s, const struct kft_perf *p);
void kft_perf_events_finish(struct kft_perf_events *s);

/* Nobody needs the events made so far: their room is used again. */
void kft_perf_events_clear(struct kft_perf_events *s);

/*
 * The record to show next: a sample, which place knows the attr of, THROTTLE or
 * UNTHROTTLE. -EBADMSG when it is not all there; nothing is shown of it then.
 */
int kft_perf_events_take(struct kft_perf_events *s, const uint8_t *rec, size_t size,
			 const struct kft_perf_place *place) __must_check;

/* Shows no more of it. */
void kft_perf_events_drop(struct kft_perf_events *s);

/*
 * 1 with the record's next event (its time, id, data and size), 0 when it has no more;
 * -EAGAIN when there is no room for it before a clear; -EBADMSG when it lacks its event.
 */
int kft_perf_events_next(struct kft_perf_events *s, struct kft_event *ret);

#endif
