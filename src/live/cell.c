// SPDX-License-Identifier: LGPL-2.1-or-later
/* Cells of the kernel's maps, as rows of statistics. */
#include "live/cell.h"

#include <errno.h>

unsigned int kft_live_bucket(uint64_t ns)
{
	uint64_t v = KFT_MIN(ns, (UINT64_C(1) << KFT_LIVE_NS_BITS) - 1);

	if (v < KFT_LIVE_PER_OCTAVE)
		return (unsigned int)v;
	unsigned int shift = 63 - (unsigned int)__builtin_clzll(v) -
			     KFT_LIVE_PER_OCTAVE_BITS;

	return shift * KFT_LIVE_PER_OCTAVE + (unsigned int)(v >> shift);
}

/* The middle of a bucket; its least value is that of its number, as in kft_live_bucket(). */
static uint64_t middle_of(unsigned int bucket)
{
	unsigned int octave = bucket / KFT_LIVE_PER_OCTAVE;
	uint64_t sub = bucket % KFT_LIVE_PER_OCTAVE;

	if (!octave)
		return sub;
	return ((KFT_LIVE_PER_OCTAVE + sub) << (octave - 1)) +
	       ((UINT64_C(1) << (octave - 1)) >> 1);
}

static int join_buckets(const struct kft_live_cell *cell, struct kft_interval_stat *row)
{
	for (unsigned int i = 0; i < KFT_LIVE_BUCKETS; i++) {
		if (!cell->buckets[i])
			continue;
		uint64_t *counter = kft_histogram_counter(&row->histogram, middle_of(i));

		if (!counter)
			return -ENOMEM;
		*counter += cell->buckets[i];
	}
	return 0;
}

int kft_live_cell_join(const struct kft_live_cell *cell, struct kft_interval_stat *row)
{
	bool is_longest = cell->count && (!row->count || cell->max_ns > row->max_ns);
	uint64_t low = row->squares.low;

	if (!cell->count)
		return 0;
	row->count += cell->count;
	row->total_ns += cell->total_ns;
	row->min_ns = KFT_MIN(row->min_ns, ~cell->not_min_ns);
	row->max_ns = KFT_MAX(row->max_ns, cell->max_ns);
	row->squares.low += cell->squares_low;
	row->squares.high += cell->squares_high + (row->squares.low < low);
	if (is_longest)
		row->longest = (struct kft_interval){
			.kind = row->row.kind,
			.key = row->row.key,
			.begin_ns = cell->max_begin_ns,
			.end_ns = cell->max_begin_ns + cell->max_ns,
			.value = KFT_INTERVAL_NO_VALUE,
			.pid = (int32_t)cell->max_pid,
			.cpu = cell->max_cpu,
		};
	return join_buckets(cell, row);
}
