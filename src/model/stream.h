/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_STREAM_H
#define KFT_MODEL_STREAM_H

#include <kft/error.h>
#include <stdatomic.h>

#include "base/bits.h"
#include "model/counts.h"
#include "model/event.h"

/*
 * The events of one CPU of one buffer in time order: what every file format is read as.
 * One thread owns a stream; different streams of a trace may be read by different threads.
 */
struct kft_stream;

struct kft_stream_ops {
	/*
	 * Up to max events into evs. Returns how many, 0 at the end, -errno when nothing
	 * more can be read. Events stay valid until the next fill, rewind or close.
	 * Damage that can be stepped over is: it is noted in the stream's damage.
	 */
	int (*fill)(struct kft_stream *s, struct kft_event *evs, size_t max);
	/*
	 * Go to the start, so that the next event is the first one at or after since (or
	 * some events before it: the caller drops those). Reading again gives the same.
	 */
	int (*rewind)(struct kft_stream *s, uint64_t since);
	void (*destroy)(struct kft_stream *s);
	/*
	 * Adds to c what fill would give after a rewind to the start, `wanted` ignored,
	 * for who asks only how many there are. Afterwards the stream is at its end. 0, or
	 * what fill fails with. NULL where that would not be quicker than fill.
	 */
	int (*count)(struct kft_stream *s, struct kft_counts *c);
	/*
	 * Makes up to n streams, for threads of their own, that are the parts of this one:
	 * their events one after the other are the stream's from its start, loss marks
	 * included; lost_after is in the last. None is made for less than min_bytes of
	 * file. The caller destroys them, before the stream. How many, 0 when it stays
	 * whole, -ENOMEM. NULL where a stream cannot be cut.
	 */
	int (*split)(struct kft_stream *s, uint64_t min_bytes, struct kft_stream **ret,
		     size_t n);
};

struct kft_stream {
	const struct kft_stream_ops *ops;
	uint32_t cpu;
	uint16_t buffer; /* index into kft_trace.buffers */
	bool is_growing; /* behind its end there may be more later (kft_trace.more) */
	/* What could not be read: the first place, and how many places. */
	struct kft_err damage;
	uint64_t damage_count;
	/*
	 * Only these ids are wanted: a bit for each of 65536, borrowed, NULL for all. A
	 * stream may skip the rest but need not; what it skips carries its loss mark on.
	 */
	const uint64_t *wanted;
	/*
	 * Lost behind the last event, where no later one can tell: 0, n or
	 * KFT_LOST_UNKNOWN. Set by the fill that finds the end.
	 */
	uint64_t lost_after;
	/*
	 * Events read since the trace was opened, for other threads to show; those of a part
	 * count in the stream that it is a part of.
	 */
	atomic_size_t n_read;
	struct kft_stream *whole; /* borrowed; NULL: this is no part */
};

/* Words of one bit for each event id. */
#define KFT_ID_WORDS KFT_BITS_WORDS(65536)

static inline bool kft_id_wanted(const uint64_t *wanted, uint16_t id)
{
	return !wanted || kft_bits_has(wanted, id);
}

#endif
