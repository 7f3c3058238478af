// SPDX-License-Identifier: LGPL-2.1-or-later
/* An allocator that frees all its memory at once. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#define BLOCK_BYTES (32 * 1024)

struct kft_arena_block {
	struct kft_arena_block *next;
	size_t used;
	size_t size;
	alignas(max_align_t) char data[];
};

void kft_arena_finish(struct kft_arena *a)
{
	struct kft_arena_block *b = a->blocks;

	while (b) {
		struct kft_arena_block *next = b->next;

		free(b);
		b = next;
	}
	*a = (struct kft_arena){};
}

static struct kft_arena_block *add_block(struct kft_arena *a, size_t need)
{
	size_t size = need > BLOCK_BYTES / 4 ? need : BLOCK_BYTES;

	if (a->limit_bytes && size > a->limit_bytes - a->total_bytes)
		return NULL;
	struct kft_arena_block *b = calloc(1, sizeof(*b) + size);
	if (!b)
		return NULL;
	b->size = size;
	a->total_bytes += size;
	/*
	 * A large allocation gets a block of its own, put second: the first block
	 * goes on serving small ones.
	 */
	if (size == need && a->blocks) {
		b->next = a->blocks->next;
		a->blocks->next = b;
	} else {
		b->next = a->blocks;
		a->blocks = b;
	}
	return b;
}

void *kft_arena_alloc(struct kft_arena *a, size_t size)
{
	size_t need;

	if (kft_add(size, alignof(max_align_t) - 1, &need))
		return NULL;
	need &= ~(alignof(max_align_t) - 1);
	struct kft_arena_block *b = a->blocks;
	if (!b || b->size - b->used < need)
		b = add_block(a, need);
	if (!b)
		return NULL;
	void *p = b->data + b->used;
	b->used += need;
	return p;
}

void *kft_arena_calloc(struct kft_arena *a, size_t count, size_t size)
{
	size_t bytes;

	if (kft_mul(count, size, &bytes))
		return NULL;
	return kft_arena_alloc(a, bytes);
}

char *kft_arena_strndup(struct kft_arena *a, const char *s, size_t len)
{
	size_t need;

	if (kft_add(len, (size_t)1, &need))
		return NULL;
	char *copy = kft_arena_alloc(a, need);
	if (!copy)
		return NULL;
	if (len)
		memcpy(copy, s, len);
	return copy;
}

char *kft_arena_strdup(struct kft_arena *a, const char *s)
{
	return kft_arena_strndup(a, s, strlen(s));
}
