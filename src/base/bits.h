/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/* Sets of small numbers: arrays of 64-bit words. A zeroed array is the empty set. */
#define KFT_BITS_WORDS(n) (((n) + 63) / 64)

static inline void kft_bits_add(uint64_t *bits, size_t i)
{
	bits[i / 64] |= UINT64_C(1) << i % 64;
}

static inline void kft_bits_remove(uint64_t *bits, size_t i)
{
	bits[i / 64] &= ~(UINT64_C(1) << i % 64);
}

static inline bool kft_bits_has(const uint64_t *bits, size_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}
