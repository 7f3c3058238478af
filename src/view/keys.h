/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_KEYS_H
#define KFT_VIEW_KEYS_H

#include "base/map.h"
#include "base/vec.h"
#include "view/item.h"

/*
 * What items are of ("irq 4", "softirq TIMER"), numbered over all kinds, and how many and
 * how long they were.
 */
enum { KFT_VIEW_BUCKETS = 64 }; /* of a histogram: bucket i has lengths from 2^i ns on */

struct kft_view_key {
	uint16_t kind;
	uint32_t order; /* among those of its kind, in the order in which they came */
	uint64_t key; /* as the kind has it */
	uint64_t count;
	uint64_t cut; /* not seen from beginning to end, in none of what follows */
	uint64_t total_ns;
	uint64_t min_ns;
	struct kft_view_item longest; /* lane and times */
	/* The longest without losses in it, and as the engine has it; kind NULL: none. */
	struct kft_view_item worst_item;
	struct kft_interval worst;
	uint32_t histogram[KFT_VIEW_BUCKETS];
};

struct kft_view_keys {
	struct kft_map by_id; /* kind and key, hashed -> index + 1 */
	KFT_VEC(struct kft_view_key) list;
	KFT_VEC(uint32_t) of_kind; /* how many a kind has */
};

void kft_view_keys_finish(struct kft_view_keys *k);

/* -ENOMEM; -E2BIG with more than any page could show. */
int kft_view_keys_get(struct kft_view_keys *k, uint16_t kind, uint64_t key,
		      uint32_t *ret) __must_check;

static inline uint32_t kft_view_keys_order(const struct kft_view_keys *k, uint32_t number)
{
	return k->list.data[number].order;
}

/* Counts an item of the key; interval: what the engine made it of, or NULL. */
void kft_view_keys_count(struct kft_view_keys *k, uint32_t number,
			 const struct kft_view_item *item,
			 const struct kft_interval *interval);

#endif
