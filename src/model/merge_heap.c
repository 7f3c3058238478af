// SPDX-License-Identifier: LGPL-2.1-or-later
/* A heap of event sources, ordered by their next events. */
#include "model/merge_heap.h"

/* Moves the element `moving` down from index i, replacing the one at i. */
static void sift_down(struct kft_merge_heap *h, size_t i, struct kft_merge_head moving)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= h->n)
			break;
		if (child + 1 < h->n &&
		    kft_merge_head_is_earlier(&h->heap[child + 1], &h->heap[child]))
			child++;
		if (!kft_merge_head_is_earlier(&h->heap[child], &moving))
			break;
		h->heap[i] = h->heap[child];
		i = child;
	}
	h->heap[i] = moving;
}

static void find_runner_up(struct kft_merge_heap *h)
{
	h->runner_up = h->n > 2 && kft_merge_head_is_earlier(&h->heap[2], &h->heap[1])
			       ? 2
			       : 1;
}

void kft_merge_heap_order(struct kft_merge_heap *h)
{
	for (size_t i = h->n / 2; i-- > 0;)
		sift_down(h, i, h->heap[i]);
	find_runner_up(h);
}

void kft_merge_heap_pop(struct kft_merge_heap *h)
{
	h->n--;
	if (h->n)
		sift_down(h, 0, h->heap[h->n]);
	find_runner_up(h);
}

void kft_merge_heap_sink_top(struct kft_merge_heap *h, struct kft_merge_head head)
{
	sift_down(h, 0, head);
	find_runner_up(h);
}
