/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * A hash table from u64 keys to u64 values (pointers or indices), with open addressing;
 * it never shrinks. `struct kft_map m = {};` is an empty one. Any key but
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
	size_t mask; /* number of slots - 1; 0 while slots is NULL */
};

void kft_map_finish(struct kft_map *m);

/* The address of the key's value, or NULL; valid until the next kft_map_put(). */
uint64_t *kft_map_get(const struct kft_map *m, uint64_t key);

/* The address of the key's value, which is 0 for a new key; NULL when memory runs out. */
uint64_t *kft_map_put(struct kft_map *m, uint64_t key);

/*
 * A hash for tables keyed by several numbers; compare the numbers after a
 * hit. Never KFT_MAP_NO_KEY.
 */
uint64_t kft_hash_words(const uint64_t *words, size_t n);

/* A hash for tables keyed by strings (FNV-1a); compare the strings after a hit. */
uint64_t kft_hash_bytes(const void *data, size_t len);
