/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/vec.h"

/*
 * Elements of a KFT_VEC that are found by a number: the map holds each element's index
 * plus 1. The caller owns and frees both.
 */

/* The element of the key, or NULL; valid until the next kft_keyed_put(). */
#define kft_keyed_get(v, map, key)                                    \
	({                                                            \
		const uint64_t *_place = kft_map_get(map, key);       \
		!_place || !*_place ? NULL : &(v)->data[*_place - 1]; \
	})

/* The element of the key, appended with this value if new; NULL when memory runs out. */
#define kft_keyed_put(v, map, key, ...)                                 \
	({                                                              \
		uint64_t *_place = kft_map_put(map, key);               \
		if (_place && !*_place && kft_vec_push(v, __VA_ARGS__)) \
			*_place = (v)->len;                             \
		!_place || !*_place ? NULL : &(v)->data[*_place - 1];   \
	})
