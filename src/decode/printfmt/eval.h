/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/program.h"

/*
 * Evaluates expressions for one record (those of text: text.h). These functions never
 * fail: values beyond the record's end are 0 or empty.
 */

uint64_t kft_eval_number(const struct kft_print_ctx *c, const struct kft_expr *e);

/* Bytes borrowed from the record; len 0 if the expression has none. */
struct kft_bytes {
	const uint8_t *p;
	size_t len;
};

struct kft_bytes kft_eval_bytes(const struct kft_print_ctx *c, const struct kft_expr *e);

/* The bytes of a field, in its fixed or dynamic location. */
struct kft_bytes kft_eval_field(const struct kft_print_ctx *c, const struct kft_field *f);

/* Loads a number of 1, 2, 4 or 8 bytes, zero-extended; 0 for another size. */
static inline uint64_t kft_load_sized(const uint8_t *p, uint8_t size, bool swap)
{
	switch (size) {
	case 1:
		return *p;
	case 2:
		return kft_load_u16(p, swap);
	case 4:
		return kft_load_u32(p, swap);
	case 8:
		return kft_load_u64(p, swap);
	default:
		return 0;
	}
}
