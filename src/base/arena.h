/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * An allocator that frees all its memory at once. Pointers stay valid until
 * kft_arena_finish(). `struct kft_arena a = {};` is an empty arena. Allocations return
 * NULL when memory runs out or the arena would exceed its limit (0: unlimited).
 */
struct kft_arena {
	struct kft_arena_block *blocks; /* owned, newest first */
	size_t total_bytes;
	size_t limit_bytes;
};

void kft_arena_finish(struct kft_arena *a);

/* Zeroed memory, aligned for any type. */
void *kft_arena_alloc(struct kft_arena *a, size_t size) __must_check;

/* Zeroed memory of count * size bytes; NULL also when the product overflows. */
void *kft_arena_calloc(struct kft_arena *a, size_t count, size_t size) __must_check;

/* A NUL-terminated copy of len bytes. */
char *kft_arena_strndup(struct kft_arena *a, const char *s, size_t len) __must_check;
char *kft_arena_strdup(struct kft_arena *a, const char *s) __must_check;
