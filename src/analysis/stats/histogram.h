/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * A histogram with log-linear buckets. Values below 64 have a bucket each; each octave
 * [2^e, 2^(e+1)) above has 64 buckets of equal width, 2^(e-6). The middle of a bucket differs
 * from every value in it by at most 1/128 of that value: 0.8 %. An octave is allocated when
 * the first value falls into it, 512 bytes each.
 */
#define KFT_HISTOGRAM_OCTAVES	 59
#define KFT_HISTOGRAM_PER_OCTAVE 64
#define KFT_HISTOGRAM_BUCKETS	 (KFT_HISTOGRAM_OCTAVES * KFT_HISTOGRAM_PER_OCTAVE)

struct kft_histogram {
	uint64_t *octaves[KFT_HISTOGRAM_OCTAVES]; /* owned; NULL: no values */
};

void kft_histogram_finish(struct kft_histogram *h);

static inline unsigned int kft_histogram_bucket(uint64_t value)
{
	if (value < KFT_HISTOGRAM_PER_OCTAVE)
		return (unsigned int)value;
	/* The number of low bits that buckets of this octave ignore. */
	unsigned int shift = 63 - (unsigned int)__builtin_clzll(value) - 6;

	return shift * KFT_HISTOGRAM_PER_OCTAVE + (unsigned int)(value >> shift);
}

/* NULL when out of memory. */
uint64_t *kft_histogram_add_octave(struct kft_histogram *h, unsigned int octave);

/*
 * The counter of values of this size, to be counted up at any time before
 * kft_histogram_finish(). NULL when out of memory.
 */
static inline uint64_t *kft_histogram_counter(struct kft_histogram *h, uint64_t value)
{
	unsigned int bucket = kft_histogram_bucket(value);
	unsigned int at = bucket / KFT_HISTOGRAM_PER_OCTAVE;
	uint64_t *octave = h->octaves[at];

	if (unlikely(!octave))
		octave = kft_histogram_add_octave(h, at);
	return octave ? &octave[bucket % KFT_HISTOGRAM_PER_OCTAVE] : NULL;
}

/* Adds the counts of from to to. -ENOMEM. */
int kft_histogram_join(struct kft_histogram *to,
		       const struct kft_histogram *from) __must_check;

uint64_t kft_histogram_count(const struct kft_histogram *h, unsigned int bucket);
/* The least and the greatest value of a bucket. */
uint64_t kft_histogram_least(unsigned int bucket);
uint64_t kft_histogram_greatest(unsigned int bucket);

/* The nearest rank of a percentile among n values: their position by size, from 1. */
uint64_t kft_histogram_rank(uint64_t n, unsigned int per_mille);

/* Returns the bucket with the value of a rank. *ret_below: number of values in lower buckets. */
unsigned int kft_histogram_find(const struct kft_histogram *h, uint64_t rank,
				uint64_t *ret_below);
