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

/* A command, identified by its first byte and, if it has one, its service action. */
struct kft_part_command {
	uint8_t opcode;
	int16_t action; /* -1: the command has no service action */
	const char *name; /* printed first */
	const struct kft_part *parts;
};

/* data/nvme_commands and data/scsi_commands; the last entry has no parts */
extern const struct kft_part_command kft_nvme_admin[];
extern const struct kft_part_command kft_nvme_nvm[];
extern const struct kft_part_command kft_nvme_fabrics[];
extern const struct kft_part_command kft_scsi_commands[];

/* Big and little endian numbers in the bytes. */
#define KFT_PART(label, at, bytes)                \
	{                                         \
		(label), (at), (bytes), 0, 0, 'u' \
	}
#define KFT_PART_BITS(label, at, shift, mask)          \
	{                                              \
		(label), (at), 1, (shift), (mask), 'u' \
	}
#define KFT_PART_END                \
	{                           \
		NULL, 0, 0, 0, 0, 0 \
	}
