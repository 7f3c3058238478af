/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "view/item.h"

/*
 * The keys of items ("irq 4", "softirq TIMER"), numbered over all kinds, with
 * statistics of their items.
 */
enum { KFT_VIEW_BUCKETS = 64 }; /* of a histogram: bucket i counts lengths from 2^i ns */

struct kft_view_key {
	uint16_t kind;
	/* position among the keys of its kind, in the order of appearance */
	uint32_t order;
	uint64_t key; /* as defined by the kind */
	uint64_t count;
	/* items without a begin or end in the trace; excluded from the members below */
	uint64_t cut;
	uint64_t total_ns;
	uint64_t min_ns;
	struct kft_view_item longest; /* its track and times */
	/* The longest item without losses in it, and its interval; kind NULL: none. */
	struct kft_view_item worst_item;
	struct kft_interval worst;
	uint32_t histogram[KFT_VIEW_BUCKETS];
};

struct kft_view_keys {
	struct kft_map by_id; /* maps the hash of kind and key to index + 1 */
	KFT_VEC(struct kft_view_key) list;
	KFT_VEC(uint32_t) of_kind; /* number of keys of each kind */
};

void kft_view_keys_finish(struct kft_view_keys *k);

/* Finds or adds a key. -ENOMEM; -E2BIG above the limit of a page. */
int kft_view_keys_get(struct kft_view_keys *k, uint16_t kind, uint64_t key,
		      uint32_t *ret) __must_check;

static inline uint32_t kft_view_keys_order(const struct kft_view_keys *k, uint32_t number)
{
	return k->list.data[number].order;
}

/* Counts an item of the key; interval: the interval behind the item, or NULL. */
void kft_view_keys_count(struct kft_view_keys *k, uint32_t number,
			 const struct kft_view_item *item,
			 const struct kft_interval *interval);
