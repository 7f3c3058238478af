/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_ANALYSIS_H
#define KFT_ANALYSIS_ANALYSIS_H

#include "derive/engine.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * One question to a trace: events are fed into a state, the state is the answer. It
 * prints nothing. A new one is a file with this table and a typed function around
 * kft_analysis_run() (see analysis/stats.h).
 *
 * With by_stream, each stream (a CPU of a buffer), or each of several parts of it, is fed
 * into a state of its own, by several threads, and the states are joined in the order of
 * the streams and their parts: the result must be the same whatever the number of threads
 * and parts. Without, one state gets the events of all streams in time order.
 */
struct kft_analysis {
	bool by_stream;
	bool whole_streams; /* never in parts */
	/* arg: of the options. Marks the ids it looks at (65536 bits); NULL: all. */
	void (*needs)(struct kft_trace *t, const void *arg, uint64_t *wanted);
	/*
	 * An empty state. Called before any event is fed, from the thread that runs the
	 * analysis: looks up here which classes it needs. -ENOMEM.
	 */
	int (*create)(struct kft_trace *t, const void *arg, void **ret_state);
	/*
	 * n > 0 events of one stream, in order, borrowed for the call. 0 or -errno, which
	 * ends all. Or the engine of intervals that is fed them, and the answer is what its
	 * sink makes of these.
	 */
	int (*feed)(void *state, const struct kft_event *evs, size_t n);
	struct kft_engine *(*engine)(void *state);
	/*
	 * Takes all events of a stream by their number instead of being fed: where that
	 * can be had quicker, and by_stream only. May be NULL.
	 */
	int (*count)(void *state, const struct kft_stream *s,
		     const struct kft_counts *counts);
	/* Everything of a stream was fed: its lost_after is known now. May be NULL. */
	int (*end)(void *state, const struct kft_stream *s);
	/* Adds the answer of a later stream. */
	int (*join)(void *state, const void *later);
	void (*destroy)(void *state);
};

struct kft_analysis_opts {
	const struct kft_scope *scope; /* borrowed; NULL: the whole trace */
	const void *arg; /* what more the question needs; borrowed */
	unsigned int threads; /* 0: as many as there are CPUs to run on */
	bool in_order; /* feed one state in time order even if by_stream would do */
	uint64_t part_bytes; /* of file, that a part has at least; 0: as it pays */
};

/*
 * *ret_state is owned by the caller, who gives it to the table's destroy. Streams that
 * fail are read as far as they go and have it in their damage. -ENOMEM, and what feed
 * and join return.
 */
int kft_analysis_run(const struct kft_analysis *a, struct kft_trace *t,
		     const struct kft_analysis_opts *opts, void **ret_state,
		     struct kft_err *e) __must_check;

#endif
