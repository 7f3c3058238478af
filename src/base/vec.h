/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * A growing array: `KFT_VEC(struct foo) foos = {};` has .data, .len and .cap. The caller
 * owns it and frees with kft_vec_finish().
 */
#define KFT_VEC(type)       \
	struct {            \
		type *data; \
		size_t len; \
		size_t cap; \
	}

/* A named vector type, so that functions can pass it to each other. */
struct kft_u64_vec {
	uint64_t *data;
	size_t len;
	size_t cap;
};

/* Grows *data to hold need elements; false when memory runs out (nothing changed). */
bool kft_vec_grow(void **data, size_t *cap, size_t need, size_t elem_size);

/* Makes room for n more elements; false when memory runs out. */
#define kft_vec_reserve(v, n)                                                   \
	((v)->cap - (v)->len >= (size_t)(n)                                     \
		 ? true                                                         \
		 : kft_vec_grow((void **)&(v)->data, &(v)->cap, (v)->len + (n), \
				sizeof(*(v)->data)))

/* Appends a copy of the value; false when memory runs out. */
#define kft_vec_push(v, ...) \
	(kft_vec_reserve(v, 1) ? ((v)->data[(v)->len++] = (__VA_ARGS__), true) : false)

#define kft_vec_finish(v)         \
	do {                      \
		free((v)->data);  \
		(v)->data = NULL; \
		(v)->len = 0;     \
		(v)->cap = 0;     \
	} while (0)

/* The check of len avoids arithmetic on the NULL of an empty vector. */
#define kft_vec_for_each(v, it)                                                         \
	for (typeof(*(v)->data) *it = (v)->data; (v)->len && it < (v)->data + (v)->len; \
	     it++)

/*
 * Binary search: the number of leading indices below n for which a condition on index i
 * holds; it holds for none of the others.
 */
#define kft_count_leading(n, i, holds)                    \
	({                                                \
		size_t _lo = 0;                           \
		size_t _hi = (n);                         \
		while (_lo < _hi) {                       \
			size_t i = _lo + (_hi - _lo) / 2; \
			if (holds)                        \
				_lo = i + 1;              \
			else                              \
				_hi = i;                  \
		}                                         \
		_lo;                                      \
	})

/* The number of elements with a member up to limit, in a vector sorted by that member. */
#define kft_vec_count_until(v, member, limit) \
	kft_count_leading((v)->len, _at, (v)->data[_at].member <= (limit))
