/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/*
 * Stores each distinct string once and gives it a number, counted from 0 in the order of
 * first use. A zeroed table is empty. Strings can hold any bytes.
 */
#define KFT_INTERN_NONE UINT32_MAX

/* Limit of the total size of all strings, far above the names of any kernel's symbols. */
#define KFT_INTERN_BYTES_MAX ((size_t)1 << 30)

struct kft_interned {
	const char *text; /* owned by the arena, NUL terminated */
	uint32_t len;
	uint32_t next; /* the next string with the same hash */
};

struct kft_intern {
	struct kft_arena arena;
	KFT_VEC(struct kft_interned) strings;
	struct kft_map by_hash; /* maps a hash to the number of its newest string */
};

void kft_intern_finish(struct kft_intern *in);

/*
 * Finds or adds a string. -ENOMEM when memory runs out or the total
 * exceeds KFT_INTERN_BYTES_MAX.
 */
int kft_intern(struct kft_intern *in, const char *text, size_t len,
	       uint32_t *ret) __must_check;

/* The string of a number, borrowed from the table; "" for KFT_INTERN_NONE. */
static inline const char *kft_intern_text(const struct kft_intern *in, uint32_t number)
{
	return number == KFT_INTERN_NONE ? "" : in->strings.data[number].text;
}
