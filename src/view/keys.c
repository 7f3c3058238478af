// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts items by key. */
#include "view/keys.h"

#include <errno.h>

/* Limit for broken traces. */
#define KEYS_MAX (1U << 18)

void kft_view_keys_finish(struct kft_view_keys *k)
{
	kft_map_finish(&k->by_id);
	kft_vec_finish(&k->list);
	kft_vec_finish(&k->of_kind);
}

static int add(struct kft_view_keys *k, uint16_t kind, uint64_t key)
{
	while (k->of_kind.len <= kind)
		if (!kft_vec_push(&k->of_kind, 0))
			return -ENOMEM;
	const struct kft_view_key new = {.kind = kind,
					 .key = key,
					 .order = k->of_kind.data[kind]++,
					 .min_ns = UINT64_MAX};

	return kft_vec_push(&k->list, new) ? 0 : -ENOMEM;
}

int kft_view_keys_get(struct kft_view_keys *k, uint16_t kind, uint64_t key, uint32_t *ret)
{
	const uint64_t words[] = {kind, key};

	/* Keys with the same hash are in consecutive slots. */
	for (uint64_t h = kft_hash_words(words, ARRAY_SIZE(words));; h++) {
		uint64_t *slot = kft_map_put(&k->by_id, h);

		if (!slot)
			return -ENOMEM;
		if (!*slot) {
			if (k->list.len >= KEYS_MAX)
				return -E2BIG;
			if (add(k, kind, key) < 0)
				return -ENOMEM;
			*slot = k->list.len;
		}
		const struct kft_view_key *found = &k->list.data[*slot - 1];
		if (found->kind == kind && found->key == key) {
			*ret = *slot - 1;
			return 0;
		}
	}
}

static unsigned int bucket(uint64_t ns)
{
	return ns ? 63 - __builtin_clzll(ns) : 0;
}

void kft_view_keys_count(struct kft_view_keys *k, uint32_t number,
			 const struct kft_view_item *item,
			 const struct kft_interval *interval)
{
	struct kft_view_key *key = &k->list.data[number];
	const struct kft_view_item *longest = &key->longest;
	uint64_t ns = item->end_ns - item->begin_ns;

	key->count++;
	if (item->flags & (KFT_INTERVAL_BEGUN_BEFORE | KFT_INTERVAL_NOT_ENDED)) {
		key->cut++;
		return;
	}
	key->total_ns += ns;
	key->histogram[bucket(ns)]++;
	key->min_ns = KFT_MIN(key->min_ns, ns);
	if (key->count - key->cut == 1 || ns > longest->end_ns - longest->begin_ns)
		key->longest = *item;
	if (!interval || item->flags & KFT_INTERVAL_LOSSES ||
	    (key->worst.kind && ns <= kft_interval_ns(&key->worst)))
		return;
	key->worst_item = *item;
	key->worst = *interval;
	key->worst.parent = NULL;
}
