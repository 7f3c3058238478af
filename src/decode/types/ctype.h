/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * C types in format texts: "unsigned long", "const char *", "__u8", "enum
 * dma_data_direction", "xfs_agblock_t".
 */
struct kft_ctype {
	/* bytes of one value; 0: not known (a struct, an unknown typedef) */
	uint8_t size;
	bool is_signed;
	bool is_pointer;
	bool is_bool;
	bool is_char; /* plain char: an array of it is a string */
	bool is_long; /* as wide as the traced kernel's long: long, size_t, pointers */
	bool is_struct; /* a struct or union, not a pointer to it */
	uint8_t target_size; /* size of a pointer's target; 0: not known */
	bool target_signed;
	bool target_char;
};

/* data/types: typedefs; the last one has no name */
struct kft_named_type {
	const char *name;
	uint8_t size;
	bool is_signed;
};

/* A size equal to that of the kernel's long. */
#define KFT_SIZE_OF_LONG 0

extern const struct kft_named_type kft_named_types[];

/*
 * Parses a type without a name. Qualifiers, __user and __attribute__((...)) are skipped.
 * False for an unknown word; *ret then holds the facts that do not depend on it (a
 * pointer is a pointer, whatever its target).
 */
bool kft_ctype_parse(const char *text, size_t len, uint32_t long_size,
		     struct kft_ctype *ret);
