/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_RAW_H
#define KFT_DECODE_PRINTFMT_RAW_H

#include "decode/printfmt/eval.h"

/* Fields by themselves: "name=value" and JSON. data is padded as for a program. */

/*
 * A field's value as text. Numbers are printed as the print fmt does where it prints the
 * field by itself (program may be NULL), else in decimal, longs and pointers in
 * hexadecimal; strings as they are, other arrays as "ARRAY[01, 02]".
 */
void kft_raw_add_field(const struct kft_print_ctx *c, const struct kft_field *f,
		       const struct kft_print_program *program, struct kft_strbuf *sb);

/* " name=value" for each field but the common ones, as `trace-cmd report -R` does. */
void kft_raw_add_fields(const struct kft_print_ctx *c, const struct kft_class *cls,
			const struct kft_print_program *program, struct kft_strbuf *sb);

/*
 * A field's value as JSON: a number, a string, an array of numbers (of bytes when its
 * elements are not known), null for what lies beyond the record.
 */
void kft_raw_add_json(const struct kft_print_ctx *c, const struct kft_field *f,
		      struct kft_strbuf *sb);

#endif
