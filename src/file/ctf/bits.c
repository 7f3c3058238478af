// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads bit fields of CTF packets. */
#include "file/ctf/bits.h"

static uint64_t read_little(const uint8_t *p, uint32_t first, uint32_t size)
{
	uint64_t v = *p >> first;
	uint32_t have = 8 - first;

	while (have < size) {
		v |= (uint64_t) * ++p << have;
		have += 8;
	}
	return size < 64 ? v & ((UINT64_C(1) << size) - 1) : v;
}

static uint64_t read_big(const uint8_t *p, uint32_t first, uint32_t size)
{
	uint64_t v = *p & (0xffu >> first);
	uint32_t have = 8 - first;

	if (have >= size)
		return v >> (have - size);
	while (size - have >= 8) {
		v = v << 8 | *++p;
		have += 8;
	}
	uint32_t rest = size - have;
	return rest ? v << rest | *++p >> (8 - rest) : v;
}

bool kft_ctf_bits_read(struct kft_ctf_bits *b, uint32_t size, bool big_endian,
		       uint64_t *ret)
{
	const uint8_t *p = kft_ctf_bits_here(b);
	uint32_t first = b->pos % 8;

	if (!kft_ctf_bits_skip(b, size))
		return false;
	*ret = big_endian ? read_big(p, first, size) : read_little(p, first, size);
	return true;
}

bool kft_ctf_bits_leb128(struct kft_ctf_bits *b, bool is_signed, uint64_t *ret)
{
	const uint8_t *p = kft_ctf_bits_here(b);
	uint64_t v = 0;

	for (uint32_t shift = 0; shift < 64; shift += 7, p++) {
		if (!kft_ctf_bits_skip(b, 8))
			return false;
		uint64_t part = *p & 0x7f;

		v |= part << shift;
		if (*p & 0x80)
			continue;
		/*
		 * The tenth byte holds only bit 63; in a signed number
		 * its other bits repeat it.
		 */
		if (shift == 63 && part > 1 && !(is_signed && part == 0x7f))
			return false;
		*ret = is_signed ? kft_ctf_extend(v, KFT_MIN(shift + 7, 64u), true) : v;
		return true;
	}
	return false;
}
