/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_HEADS_H
#define KFT_MODEL_HEADS_H

#include "base/macro.h"

/* A lane of events whose next one is at ts. At equal times the lower lane comes first. */
struct kft_head {
	uint64_t ts;
	uint32_t lane;
};

/*
 * Which of many lanes has the earliest event: a binary heap, the earliest first. On most calls
 * the lane at the top stays there, which takes one comparison with the runner-up, the earlier
 * of its children.
 */
struct kft_heads {
	struct kft_head *heap; /* owned by the user: room for all lanes */
	size_t n;
	size_t runner_up; /* index in the heap, if n > 1 */
};

static inline bool kft_head_is_earlier(const struct kft_head *a, const struct kft_head *b)
{
	return a->ts < b->ts || (a->ts == b->ts && a->lane < b->lane);
}

/* One more, at the end: kft_heads_order() before anything else is asked. */
static inline void kft_heads_add(struct kft_heads *h, struct kft_head head)
{
	h->heap[h->n++] = head;
}

void kft_heads_order(struct kft_heads *h);

/* The lane at the top has no more events. */
void kft_heads_pop(struct kft_heads *h);

/* See kft_heads_set_top(). */
void kft_heads_sink_top(struct kft_heads *h, struct kft_head head);

/* The next event of the lane at the top. Returns whether another lane is there now. */
static inline bool kft_heads_set_top(struct kft_heads *h, uint64_t ts)
{
	struct kft_head head = {ts, h->heap[0].lane};

	if (h->n < 2 || !kft_head_is_earlier(&h->heap[h->runner_up], &head))
		return false;
	kft_heads_sink_top(h, head);
	return true;
}

/* Events of the lane at the top up to this time come before those of all others. */
static inline uint64_t kft_heads_top_until(const struct kft_heads *h)
{
	if (h->n < 2)
		return UINT64_MAX;
	const struct kft_head *next = &h->heap[h->runner_up];

	/* Not 0 - 1: a lower lane would be at the top if both were at 0. */
	return h->heap[0].lane < next->lane ? next->ts : next->ts - 1;
}

#endif
