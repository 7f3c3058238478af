/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/event_filter.h"
#include "model/stream.h"

/*
 * The part of a trace that is read; zeroed: all of it. Read-only,
 * so threads may share it.
 */
struct kft_scope {
	const uint64_t *cpus; /* bit per CPU, borrowed; NULL: all */
	uint32_t n_cpus; /* bits in cpus */
	const uint64_t *wanted; /* borrowed; see kft_stream.wanted */
	/* Filters of the wanted events; borrowed; NULL: none. */
	const struct kft_filters *filters;
	uint64_t since; /* range of time stamps, inclusive; until 0: no end */
	uint64_t until;
	const uint32_t *pids; /* wanted tasks; borrowed */
	size_t n_pids; /* 0: all */
	/* The field common_pid; borrowed; NULL: there is none. */
	const struct kft_field *pid;
	bool swap; /* byte order of the trace, for pid */
};

bool kft_scope_has_cpu(const struct kft_scope *scope, uint32_t cpu);

/*
 * Removes events out of scope from a batch of one stream: evs keeps *len events.
 * *lost carries the loss marks of removed events to the next one kept; 0 at the
 * stream's start. Returns false when the whole batch is later than the end, and so is
 * the rest of the stream. A single late event is no proof of that, because stamps of
 * a damaged stream can jump back.
 */
bool kft_scope_filter(const struct kft_scope *scope, struct kft_event *evs, size_t *len,
		      uint64_t *lost);

/* The sum of two loss marks: unknown when one is. */
uint64_t kft_lost_add(uint64_t a, uint64_t b);

/*
 * Fills evs from the stream, without events out of scope: events of the next batch that
 * has any, 0 at the end. A stream that fails ends there and has the error in its damage.
 * At the stream's own end its lost_after includes the marks that found no event, but not
 * when the scope's end came first. A stream that grows keeps *lost for its next event.
 */
size_t kft_scope_fill(const struct kft_scope *scope, struct kft_stream *s,
		      struct kft_event *evs, size_t max, uint64_t *lost);

/*
 * Counts all events of a stream that was just started, if all are in scope and the stream
 * can count faster than by filling: otherwise false, and nothing was read. A stream that
 * fails ends there and has the error in its damage.
 */
bool kft_scope_count(const struct kft_scope *scope, struct kft_stream *s,
		     struct kft_counts *c);

/* Rewinds to the scope's start; on failure false, with the stream's damage set. */
bool kft_scope_start(const struct kft_scope *scope, struct kft_stream *s);
