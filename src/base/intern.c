// SPDX-License-Identifier: LGPL-2.1-or-later
/* Gives each distinct string a number. */
#include "base/intern.h"

#include <errno.h>
#include <string.h>

void kft_intern_finish(struct kft_intern *in)
{
	kft_arena_finish(&in->arena);
	kft_vec_finish(&in->strings);
	kft_map_finish(&in->by_hash);
}

static uint32_t find(const struct kft_intern *in, uint64_t first, const char *text,
		     size_t len)
{
	uint32_t i = first;

	for (; i != KFT_INTERN_NONE; i = in->strings.data[i].next) {
		const struct kft_interned *s = &in->strings.data[i];

		if (s->len == len && !memcmp(s->text, text, len))
			break;
	}
	return i;
}

int kft_intern(struct kft_intern *in, const char *text, size_t len, uint32_t *ret)
{
	uint64_t hash = kft_hash_bytes(text, len);
	const uint64_t *slot = kft_map_get(&in->by_hash, hash);
	uint32_t there = slot ? find(in, *slot, text, len) : KFT_INTERN_NONE;

	if (there != KFT_INTERN_NONE) {
		*ret = there;
		return 0;
	}
	if (len >= KFT_INTERN_NONE || in->strings.len >= KFT_INTERN_NONE)
		return -ENOMEM;
	in->arena.limit_bytes = KFT_INTERN_BYTES_MAX;
	struct kft_interned s = {
		.text = kft_arena_strndup(&in->arena, text, len),
		.len = len,
		.next = slot ? *slot : KFT_INTERN_NONE,
	};
	uint64_t *put = s.text ? kft_map_put(&in->by_hash, hash) : NULL;

	/* On failure the string is in neither the list nor the hash chain. */
	if (!put)
		return -ENOMEM;
	*put = s.next;
	if (!kft_vec_push(&in->strings, s))
		return -ENOMEM;
	*put = in->strings.len - 1;
	*ret = *put;
	return 0;
}
