/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/eval.h"

/* Prints bytes of a record as text: hexadecimal, arrays, bit masks, stack traces. */

/* Prints an expression with an op of KFT_EXPR_HEX to KFT_EXPR_STACK, but for dumps. */
void kft_bytes_print(const struct kft_print_ctx *c, const struct kft_expr *e,
		     struct kft_strbuf *sb);

/* Appends "0a0b" with the separator between bytes, or without one if it is 0. */
void kft_bytes_add_hex(struct kft_bytes b, char separator, struct kft_strbuf *sb);

/*
 * Append the first n_bits of a bit mask, which is an array of the kernel's longs: as
 * 32-bit words "00000001,ffffffff", or as ranges "0-3,7".
 */
void kft_bytes_add_bitmask(const struct kft_print_ctx *c, struct kft_bytes b,
			   size_t n_bits, struct kft_strbuf *sb);
void kft_bytes_add_ranges(const struct kft_print_ctx *c, struct kft_bytes b,
			  size_t n_bits, struct kft_strbuf *sb);

/* The first bytes, up to count; all bytes if count is negative or larger. */
struct kft_bytes kft_bytes_first(struct kft_bytes b, int64_t count);

struct kft_bytes_dump {
	size_t row; /* bytes per line */
	size_t group; /* bytes per number */
	bool ascii;
	bool swap;
};

/* Appends a line, or the shorter last one, like the kernel's hex_dump_to_buffer(). */
void kft_bytes_add_dump_line(const struct kft_bytes_dump *d, struct kft_bytes b,
			     struct kft_strbuf *sb);
