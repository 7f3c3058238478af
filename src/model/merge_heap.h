/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * An event source ("lane") and the time of its next event. At equal times
 * the lower lane comes first.
 */
struct kft_merge_head {
	uint64_t ts;
	uint32_t lane;
};

/*
 * Finds the lane with the earliest next event: a binary heap, the earliest at the top. On
 * most calls the top stays the same, which takes one comparison with the runner-up, the
 * earlier of the top's children.
 */
struct kft_merge_heap {
	struct kft_merge_head *heap; /* owned by the caller: room for all lanes */
	size_t n;
	size_t runner_up; /* index in the heap, if n > 1 */
};

static inline bool kft_merge_head_is_earlier(const struct kft_merge_head *a,
					     const struct kft_merge_head *b)
{
	return a->ts < b->ts || (a->ts == b->ts && a->lane < b->lane);
}

/*
 * Appends a lane; after the last one, kft_merge_heap_order() must be called
 * before any other function.
 */
static inline void kft_merge_heap_add(struct kft_merge_heap *h,
				      struct kft_merge_head head)
{
	h->heap[h->n++] = head;
}

void kft_merge_heap_order(struct kft_merge_heap *h);

/* Removes the top, which has no more events. */
void kft_merge_heap_pop(struct kft_merge_heap *h);

/* Used by kft_merge_heap_set_top(). */
void kft_merge_heap_sink_top(struct kft_merge_heap *h, struct kft_merge_head head);

/*
 * Sets the time of the top's next event. Returns whether another lane is at the top now.
 */
static inline bool kft_merge_heap_set_top(struct kft_merge_heap *h, uint64_t ts)
{
	struct kft_merge_head head = {ts, h->heap[0].lane};

	if (h->n < 2 || !kft_merge_head_is_earlier(&h->heap[h->runner_up], &head))
		return false;
	kft_merge_heap_sink_top(h, head);
	return true;
}

/* The top's events up to this time precede those of all other lanes. */
static inline uint64_t kft_merge_heap_top_until(const struct kft_merge_heap *h)
{
	if (h->n < 2)
		return UINT64_MAX;
	const struct kft_merge_head *next = &h->heap[h->runner_up];

	/*
	 * The top precedes the next lane also at equal times if its number is lower.
	 * Otherwise next->ts is not 0, as the next lane would be at the top then.
	 */
	return h->heap[0].lane < next->lane ? next->ts : next->ts - 1;
}
