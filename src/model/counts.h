/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/* Smaller ids are counted in a fixed array; it covers all ids of most kernels. */
#define KFT_COUNTS_LOW	 4096
#define KFT_COUNTS_LANES 2

/*
 * The number of events of each id in a stream, for callers that need no more than that.
 */
struct kft_counts {
	/*
	 * A reader that walks several places of a stream at once counts each in a lane of
	 * its own, as increments of a single counter would wait for each other. The count
	 * is the sum of the lanes.
	 */
	uint64_t low[KFT_COUNTS_LANES][KFT_COUNTS_LOW];
	uint64_t *high; /* owned, for all 65536 ids; NULL until a high id is counted */
	uint64_t first; /* first and last stamp of all events; first > last: no event */
	uint64_t last;
	uint64_t gaps; /* places where events are missing */
	uint64_t uncounted_gaps; /* gaps of unknown size */
	uint64_t lost; /* number of events missing in the other gaps */
};

/* All counts are 0; NULL when out of memory. */
struct kft_counts *kft_counts_create(void);
struct kft_counts *kft_counts_destroy(struct kft_counts *c);
KFT_DEFINE_CLEANUP(struct kft_counts *, kft_counts_destroy)

static inline uint64_t kft_counts_of(const struct kft_counts *c, uint16_t id)
{
	uint64_t n = c->high ? c->high[id] : 0;

	for (size_t i = 0; id < KFT_COUNTS_LOW && i < KFT_COUNTS_LANES; i++)
		n += c->low[i][id];
	return n;
}

/* Counts an event with any id; -ENOMEM. */
int kft_counts_add(struct kft_counts *c, uint16_t id) __must_check;

/* Counts a loss mark, see struct kft_event. */
void kft_counts_add_loss(struct kft_counts *c, uint64_t lost);
