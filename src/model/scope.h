/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_SCOPE_H
#define KFT_MODEL_SCOPE_H

#include "model/event_filter.h"
#include "model/stream.h"

/* The part of a trace that is read: zeroed is all of it. Shared by threads: read only. */
struct kft_scope {
	const uint64_t *cpus; /* bit per CPU, borrowed; NULL: all */
	uint32_t n_cpus; /* bits in cpus */
	const uint64_t *wanted; /* as kft_stream.wanted; borrowed */
	const struct kft_filters
		*filters; /* of the events wanted; borrowed; NULL: none */
	uint64_t since; /* first and last time stamp; until 0: no end */
	uint64_t until;
	const uint32_t *pids; /* of the tasks wanted; borrowed */
	size_t n_pids; /* 0: all */
	const struct kft_field *pid; /* common_pid; borrowed; NULL: there is none */
	bool swap; /* as of the trace; for pid */
};

bool kft_scope_has_cpu(const struct kft_scope *scope, uint32_t cpu);

/*
 * Takes what is out of scope from a batch of one stream: evs keeps *len events. *lost
 * carries the loss marks of dropped events to the next one kept; 0 at the stream's
 * start. Returns false when the whole batch is later than the end: so is the rest of the
 * stream. One late event alone does not say that, because stamps of a damaged stream can
 * jump back.
 */
bool kft_scope_filter(const struct kft_scope *scope, struct kft_event *evs, size_t *len,
		      uint64_t *lost);

/* The sum of two loss marks: unknown when one is. */
uint64_t kft_lost_add(uint64_t a, uint64_t b);

/*
 * As the stream's fill, what is out of scope left out: events of the next batch that has
 * any, 0 at the end. A stream that fails ends there and has it in its damage. After the
 * stream's own end its lost_after has the marks that found no event, but not when the
 * scope's end came first. A stream that grows keeps *lost for the event that comes next.
 */
size_t kft_scope_fill(const struct kft_scope *scope, struct kft_stream *s,
		      struct kft_event *evs, size_t max, uint64_t *lost);

/*
 * Counts all events of a stream that was just started, when the scope has all of them and
 * the stream can do so quicker than by filling: otherwise false, and nothing was read.
 * A stream that fails ends there and has it in its damage.
 */
bool kft_scope_count(const struct kft_scope *scope, struct kft_stream *s,
		     struct kft_counts *c);

/* Rewinds to the scope's start; false (with the stream's damage set) when it cannot. */
bool kft_scope_start(const struct kft_scope *scope, struct kft_stream *s);

#endif
