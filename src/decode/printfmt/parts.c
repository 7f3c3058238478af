// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints numbers at fixed offsets in a block of bytes. */
#include "decode/printfmt/parts.h"

uint64_t kft_part_value(const struct kft_part *part, struct kft_bytes b, bool big_endian)
{
	uint64_t v = 0;

	for (size_t i = 0; i < part->bytes; i++) {
		size_t at = part->at + (big_endian ? i : part->bytes - 1u - i);

		v = v << 8 | (at < b.len ? b.p[at] : 0);
	}
	v >>= part->shift;
	return part->mask ? v & part->mask : v;
}

void kft_parts_add(const struct kft_part *parts, struct kft_bytes b, bool big_endian,
		   struct kft_strbuf *sb)
{
	for (const struct kft_part *p = parts; p->label; p++) {
		uint64_t v = kft_part_value(p, b, big_endian);

		kft_strbuf_adds(sb, p->label);
		if (p->conv == 'x')
			kft_strbuf_addx(sb, v, 1);
		else
			kft_strbuf_addu(sb, v, 1);
	}
}
