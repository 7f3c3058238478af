/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * An analysis of a trace: events are fed into a state, and the final state is the answer. An
 * analysis prints nothing. To add one, write a file with this table and a typed function
 * around kft_analysis_run() (see analysis/stats/stats.h).
 *
 * With by_stream, several threads feed each stream (a CPU of a buffer), or each of several
 * parts of a stream, into a state of its own. The states are joined in the order of the
 * streams and their parts. The result must not depend on the number of threads and parts.
 * Without by_stream, one state gets the events of all streams in time order.
 */
struct kft_analysis {
	bool by_stream;
	bool whole_streams; /* never split a stream into parts */
	/* Sets the ids of the events it uses in wanted (65536 bits). NULL: all. arg: see opts. */
	void (*needs)(struct kft_trace *t, const void *arg, uint64_t *wanted);
	/*
	 * Makes an empty state. Called before any event is fed, from the thread that runs the
	 * analysis, so this is the place to look up event classes. -ENOMEM.
	 */
	int (*create)(struct kft_trace *t, const void *arg, void **ret_state);
	/*
	 * Takes n > 0 events of one stream, in order, borrowed for the call. Returns 0, or
	 * -errno, which ends the analysis. An analysis of intervals sets engine instead:
	 * the events are fed to this engine, and its sink builds the answer.
	 */
	int (*feed)(void *state, const struct kft_event *evs, size_t n);
	struct kft_engine *(*engine)(void *state);
	/*
	 * Takes the numbers of a stream's events by id instead of the events. Used with
	 * by_stream only, and only if the stream can count without decoding. May be NULL.
	 */
	int (*count)(void *state, const struct kft_stream *s,
		     const struct kft_counts *counts);
	/* Called after the last event of a stream: its lost_after is valid now. May be NULL. */
	int (*end)(void *state, const struct kft_stream *s);
	/* Adds the answer of a later stream. */
	int (*join)(void *state, const void *later);
	void (*destroy)(void *state);
};

struct kft_analysis_opts {
	const struct kft_scope *scope; /* borrowed; NULL: the whole trace */
	const void *arg; /* parameters of the analysis; borrowed */
	unsigned int threads; /* 0: one for each usable CPU */
	bool in_order; /* feed one state in time order even if by_stream is set */
	uint64_t part_bytes; /* least size of a stream's parts in the file; 0: default */
};

/*
 * The caller owns *ret_state and frees it with the table's destroy. A damaged stream is read
 * up to the damage, which is recorded in its damage member. Returns -ENOMEM, or an error of
 * feed, count, end or join.
 */
int kft_analysis_run(const struct kft_analysis *a, struct kft_trace *t,
		     const struct kft_analysis_opts *opts, void **ret_state,
		     struct kft_err *e) __must_check;
