/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_INTERN_H
#define KFT_BASE_INTERN_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/*
 * Each different string once, with a small number in its place: numbers count up from 0 in
 * the order of first use. Zeroed is empty. Strings can hold any bytes.
 */
#define KFT_INTERN_NONE UINT32_MAX

/* All strings together: more different names than any kernel has symbols. */
#define KFT_INTERN_BYTES_MAX ((size_t)1 << 30)

struct kft_interned {
	const char *text; /* owned by the arena, NUL terminated */
	uint32_t len;
	uint32_t next; /* with the same hash */
};

struct kft_intern {
	struct kft_arena arena;
	KFT_VEC(struct kft_interned) strings;
	struct kft_map by_hash; /* -> number of the newest */
};

void kft_intern_finish(struct kft_intern *in);

/* The number of a string. -ENOMEM, also when there is more than KFT_INTERN_BYTES_MAX. */
int kft_intern(struct kft_intern *in, const char *text, size_t len,
	       uint32_t *ret) __must_check;

/* Borrowed from the table; "" for KFT_INTERN_NONE. */
static inline const char *kft_intern_text(const struct kft_intern *in, uint32_t number)
{
	return number == KFT_INTERN_NONE ? "" : in->strings.data[number].text;
}

#endif
