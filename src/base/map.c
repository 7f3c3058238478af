// SPDX-License-Identifier: LGPL-2.1-or-later
/* Implements a hash table from numbers to numbers. */
#include "base/map.h"

void kft_map_finish(struct kft_map *m)
{
	free(m->slots);
	*m = (struct kft_map){};
}

/*
 * Fibonacci hashing with the high half folded in: pids and addresses are regular,
 * and would cluster otherwise.
 */
static size_t slot_of(const struct kft_map *m, uint64_t key)
{
	uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);

	return (h ^ h >> 32) & m->mask;
}

static struct kft_map_slot *find(const struct kft_map *m, uint64_t key)
{
	size_t i = slot_of(m, key);

	while (m->slots[i].key != key && m->slots[i].key != KFT_MAP_NO_KEY)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

uint64_t *kft_map_get(const struct kft_map *m, uint64_t key)
{
	if (!m->slots || key == KFT_MAP_NO_KEY)
		return NULL;
	struct kft_map_slot *s = find(m, key);
	return s->key == key ? &s->value : NULL;
}

static bool rehash(struct kft_map *m)
{
	size_t count = m->slots ? (m->mask + 1) * 2 : 16;
	size_t bytes;

	if (kft_mul(count, sizeof(*m->slots), &bytes))
		return false;
	struct kft_map bigger = {
		.slots = malloc(bytes), .len = m->len, .mask = count - 1};
	if (!bigger.slots)
		return false;
	for (size_t i = 0; i < count; i++)
		bigger.slots[i] = (struct kft_map_slot){.key = KFT_MAP_NO_KEY};
	for (size_t i = 0; m->slots && i <= m->mask; i++)
		if (m->slots[i].key != KFT_MAP_NO_KEY)
			*find(&bigger, m->slots[i].key) = m->slots[i];
	free(m->slots);
	*m = bigger;
	return true;
}

uint64_t *kft_map_put(struct kft_map *m, uint64_t key)
{
	uint64_t *there = kft_map_get(m, key);

	if (there || key == KFT_MAP_NO_KEY)
		return there;
	if ((!m->slots || m->len * 2 > m->mask) && !rehash(m))
		return NULL;
	struct kft_map_slot *s = find(m, key);
	*s = (struct kft_map_slot){.key = key};
	m->len++;
	return &s->value;
}

uint64_t kft_hash_words(const uint64_t *words, size_t n)
{
	uint64_t h = 0;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return h >> 1;
}

uint64_t kft_hash_bytes(const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h == KFT_MAP_NO_KEY ? 0 : h;
}
