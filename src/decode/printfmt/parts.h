/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/eval.h"

/*
 * Prints commands to devices: numbers at fixed offsets in a block of bytes, each with its
 * label. Bytes beyond the block's end are 0.
 */
struct kft_part {
	const char *label; /* text before the number: "lba=" */
	uint8_t at; /* offset of the first byte */
	uint8_t bytes; /* 1 to 8 */
	uint8_t shift;
	uint32_t mask; /* applied after shifting; 0: all bits */
	char conv; /* 'u' or 'x' */
};

uint64_t kft_part_value(const struct kft_part *part, struct kft_bytes b, bool big_endian);

/* Prints all parts up to the one without a label. */
void kft_parts_add(const struct kft_part *parts, struct kft_bytes b, bool big_endian,
		   struct kft_strbuf *sb);

/* Big and little endian numbers in the bytes. */
#define KFT_PART(label, at, bytes)                \
	{                                         \
		(label), (at), (bytes), 0, 0, 'u' \
	}
#define KFT_PART_HEX(label, at, bytes)            \
	{                                         \
		(label), (at), (bytes), 0, 0, 'x' \
	}
#define KFT_PART_BITS(label, at, shift, mask)          \
	{                                              \
		(label), (at), 1, (shift), (mask), 'u' \
	}
#define KFT_PART_END                \
	{                           \
		NULL, 0, 0, 0, 0, 0 \
	}
