/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_CTYPE_H
#define KFT_DECODE_CTYPE_H

#include "base/macro.h"

/*
 * C types as format texts write them: "unsigned long", "const char *", "__u8",
 * "enum dma_data_direction", "xfs_agblock_t".
 */
struct kft_ctype {
	uint8_t size; /* bytes of one value; 0: not known (a struct, a strange typedef) */
	bool is_signed;
	bool is_pointer;
	bool is_bool;
	bool is_char; /* plain char: an array of it is a string */
	bool is_long; /* as wide as the traced kernel's long: long, size_t, pointers */
	bool is_struct; /* a struct or union by value */
	uint8_t target_size; /* of what a pointer points to; 0: not known */
	bool target_signed;
	bool target_char;
};

/*
 * Reads a type without a name. Returns false when a word of it is no type that this
 * knows; *ret then says what could be told all the same (a pointer is one, whatever it
 * points to). Qualifiers, __user and __attribute__((...)) are stepped over.
 */
bool kft_ctype_parse(const char *text, size_t len, uint32_t long_size,
		     struct kft_ctype *ret);

#endif
