/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>
#include <stdatomic.h>

#include "base/bits.h"
#include "model/counts.h"
#include "model/event.h"

/*
 * The events of one CPU of one buffer in time order; the readers of all file
 * formats provide these. One thread owns a stream; different streams of a trace may
 * be read by different threads.
 */
struct kft_stream;

struct kft_stream_ops {
	/*
	 * Reads up to max events into evs. Returns how many, 0 at the end,
	 * -errno when reading cannot continue. Events stay valid until the next
	 * fill, rewind or close. Damaged parts are skipped where possible, and
	 * noted in the stream's damage.
	 */
	int (*fill)(struct kft_stream *s, struct kft_event *evs, size_t max);
	/*
	 * Seeks so that the next event is the first one at or after since (or some events
	 * before it: the caller drops those). Reading again returns the same events.
	 */
	int (*rewind)(struct kft_stream *s, uint64_t since);
	void (*destroy)(struct kft_stream *s);
	/*
	 * Adds the counts of all events of the stream to c; `wanted` is ignored.
	 * Afterwards the stream is at its end. 0, or an error of fill. NULL when it would
	 * not be faster than fill.
	 */
	int (*count)(struct kft_stream *s, struct kft_counts *c);
	/*
	 * Makes up to n streams, for threads of their own, that are parts of this one:
	 * their concatenated events are those of the stream, including loss marks; the
	 * last part has lost_after. A part has at least min_bytes of the file. The caller
	 * destroys the parts, before the stream. Returns their number, 0 when the stream
	 * is not split, -ENOMEM. NULL for streams that cannot be split.
	 */
	int (*split)(struct kft_stream *s, uint64_t min_bytes, struct kft_stream **ret,
		     size_t n);
	bool skips_unwanted; /* fill returns no event that is not wanted */
};

struct kft_stream {
	const struct kft_stream_ops *ops;
	uint32_t cpu;
	uint16_t buffer; /* index into kft_trace.buffers */
	bool is_growing; /* more events may come after its end (kft_trace.more) */
	/* Unreadable places: the first one, and their number. */
	struct kft_err damage;
	uint64_t damage_count;
	/*
	 * Wanted ids: a bit for each of 65536, borrowed, NULL: all. A stream may skip
	 * other events, but need not; a skipped event's loss mark moves to the next one.
	 */
	const uint64_t *wanted;
	/*
	 * Events lost after the last event, which no later event can carry: 0, n or
	 * KFT_LOST_UNKNOWN. Set by the fill that returns 0.
	 */
	uint64_t lost_after;
	/*
	 * Number of events read since the trace was opened, for a progress display in
	 * other threads; events of a part count in the whole stream.
	 */
	atomic_size_t n_read;
	struct kft_stream *whole; /* borrowed; NULL: the stream is not a part */
};

/* Words of a bit set with a bit for each event id. */
#define KFT_ID_WORDS KFT_BITS_WORDS(65536)

static inline bool kft_id_wanted(const uint64_t *wanted, uint16_t id)
{
	return !wanted || kft_bits_has(wanted, id);
}
