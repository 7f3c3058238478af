/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

#include "analysis/stats/interval_stats.h"

/*
 * Layouts of the values in the maps of live statistics. The programs that live/emit.c makes load
 * and store their members.
 */

/*
 * Buckets of the histogram in a cell: those of struct kft_histogram, but with 8 in each octave
 * instead of 64, up to KFT_LIVE_NS_MAX. The middle of a bucket differs from every value in it
 * by at most 1/16 of that value.
 */
#define KFT_LIVE_PER_OCTAVE_BITS 3
#define KFT_LIVE_PER_OCTAVE	 (1 << KFT_LIVE_PER_OCTAVE_BITS)
#define KFT_LIVE_NS_BITS	 40 /* 18 minutes; longer durations are in the last bucket */
#define KFT_LIVE_BUCKETS \
	((KFT_LIVE_NS_BITS - KFT_LIVE_PER_OCTAVE_BITS + 1) * KFT_LIVE_PER_OCTAVE)

/*
 * The identity of a row; members that the question does not group by are 0. Maps have the first
 * kft_live_key_bytes() of it: hashing all of it would take a tenth of a program's time.
 */
struct kft_live_key {
	uint64_t key;
	uint32_t period; /* that in which the intervals ended, see kft_live_turn() */
	uint32_t cpu;
	uint32_t pid;
	uint32_t unused; /* 0 */
	char comm[16];
};

static inline uint32_t kft_live_key_bytes(unsigned int by)
{
	if (by & KFT_INTERVAL_BY_COMM)
		return sizeof(struct kft_live_key);
	return by & KFT_INTERVAL_BY_TASK ? offsetof(struct kft_live_key, comm)
					 : offsetof(struct kft_live_key, pid);
}

/* The intervals of a row that ended on one CPU. All bytes are 0 before the first one. */
struct kft_live_cell {
	uint64_t count;
	uint64_t total_ns;
	uint64_t not_min_ns; /* ~minimum, so that 0 is the greatest one */
	uint64_t max_ns;
	uint64_t squares_low;
	uint64_t squares_high;
	uint64_t max_begin_ns;
	uint32_t max_pid;
	uint32_t max_cpu; /* where the longest one began */
	char max_comm[16];
	uint64_t buckets[KFT_LIVE_BUCKETS];
};

/* An interval that has begun, in a table that is indexed by bits of the tag. */
struct kft_live_open {
	uint64_t tag; /* hash of the interval's identity; 0: the place is free */
	uint64_t begin_ns;
	uint64_t key;
	uint32_t pid;
	uint32_t cpu;
	char comm[16];
};

/* Counts of the intervals that are in no row, per CPU. */
struct kft_live_tally {
	uint64_t
		unbegun; /* ends without a beginning: it was before the start, or missed */
	uint64_t
		unended; /* beginnings without an end, or replaced in the table by another */
	uint64_t full; /* complete intervals without a row: the map has no more */
};

/* For tests: the bucket with a duration, as programs compute it. */
unsigned int kft_live_bucket(uint64_t ns);

/* Adds a cell to a row. -ENOMEM. */
int kft_live_cell_join(const struct kft_live_cell *cell,
		       struct kft_interval_stat *row) __must_check;
