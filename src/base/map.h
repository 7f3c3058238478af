/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_MAP_H
#define KFT_BASE_MAP_H

#include "base/macro.h"

/*
 * A hash table from u64 keys to u64 values (a pointer or an index), open addressing,
 * never shrinking. `struct kft_map m = {};` is an empty one. Any key but
 * KFT_MAP_NO_KEY can be stored.
 */
#define KFT_MAP_NO_KEY UINT64_MAX

struct kft_map_slot {
	uint64_t key;
	uint64_t value;
};

struct kft_map {
	struct kft_map_slot *slots; /* owned */
	size_t len;
	size_t mask; /* number of slots - 1; 0 with slots NULL when empty */
};

void kft_map_finish(struct kft_map *m);

/* The value's place, or NULL; valid until the next kft_map_put(). */
uint64_t *kft_map_get(const struct kft_map *m, uint64_t key);

/* The value's place, made (as 0) when it was not there; NULL when out of memory. */
uint64_t *kft_map_put(struct kft_map *m, uint64_t key);

/* For tables by several numbers: never KFT_MAP_NO_KEY; compare the numbers after a hit. */
uint64_t kft_hash_words(const uint64_t *words, size_t n);

/* For string tables: FNV-1a; compare the strings after a hit. */
uint64_t kft_hash_bytes(const void *data, size_t len);

#endif
