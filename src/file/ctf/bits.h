/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/cursor.h"
#include "file/ctf/type.h"

/*
 * Bounded reads of bit fields from a packet (4.1.5): in little endian the first bit is
 * the lowest of its byte, in big endian the highest. Positions are in bits from the
 * packet's start, which is also the origin of alignment.
 */
struct kft_ctf_bits {
	const uint8_t *base; /* borrowed */
	uint64_t pos;
	uint64_t end;
};

/* Skips to the next multiple of align, a power of two. */
static inline __must_check bool kft_ctf_bits_align(struct kft_ctf_bits *b, uint32_t align)
{
	uint64_t pos = (b->pos + align - 1) & ~(uint64_t)(align - 1);

	if (unlikely(pos > b->end))
		return false;
	b->pos = pos;
	return true;
}

static inline __must_check bool kft_ctf_bits_skip(struct kft_ctf_bits *b, uint64_t n)
{
	if (unlikely(n > b->end - b->pos))
		return false;
	b->pos += n;
	return true;
}

static inline const uint8_t *kft_ctf_bits_here(const struct kft_ctf_bits *b)
{
	return b->base + b->pos / 8;
}

static inline uint64_t kft_ctf_extend(uint64_t v, uint32_t size, bool is_signed)
{
	uint32_t shift = 64 - size;

	if (!shift || !is_signed)
		return v;
	return (uint64_t)((int64_t)(v << shift) >> shift);
}

/*
 * Loads a whole number of bytes; size in bits: 8, 16, 32, 64. The caller checked bounds.
 */
static inline uint64_t kft_ctf_load(const uint8_t *p, uint32_t size, bool swap)
{
	switch (size) {
	case 8:
		return *p;
	case 16:
		return kft_load_u16(p, swap);
	case 32:
		return kft_load_u32(p, swap);
	default:
		return kft_load_u64(p, swap);
	}
}

/* Reads size (1 to 64) bits at any position, zero-extended. */
__must_check bool kft_ctf_bits_read(struct kft_ctf_bits *b, uint32_t size,
				    bool big_endian, uint64_t *ret);

/*
 * LEB128: seven bits per byte, the lowest first. False when the value
 * needs more than 64 bits.
 */
__must_check bool kft_ctf_bits_leb128(struct kft_ctf_bits *b, bool is_signed,
				      uint64_t *ret);

/* Reads an integer or enum at its alignment, sign-extended if it is signed. */
static inline __must_check bool
kft_ctf_bits_int(struct kft_ctf_bits *b, const struct kft_ctf_type *t, uint64_t *ret)
{
	uint64_t v;

	if (unlikely(t->is_leb128))
		return kft_ctf_bits_align(b, t->align) &&
		       kft_ctf_bits_leb128(b, t->is_signed, ret);
	if (!kft_ctf_bits_align(b, t->align) ||
	    !kft_ctf_bits_read(b, t->size, t->big_endian, &v))
		return false;
	*ret = kft_ctf_extend(v, t->size, t->is_signed);
	return true;
}
