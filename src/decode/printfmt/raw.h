/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/eval.h"

/* Prints single fields: as "name=value" and as JSON. data is padded as for a program. */

/*
 * Appends a field's value as text. Numbers have the form of the print fmt if it prints
 * the field by itself (program may be NULL); otherwise they are decimal, longs and
 * pointers hexadecimal. Strings are printed as they are, other arrays as "ARRAY[01, 02]".
 */
void kft_raw_add_field(const struct kft_print_ctx *c, const struct kft_field *f,
		       const struct kft_print_program *program, struct kft_strbuf *sb);

/*
 * Appends " name=value" for each field but the common ones, like `trace-cmd report -R`.
 */
void kft_raw_add_fields(const struct kft_print_ctx *c, const struct kft_class *cls,
			const struct kft_print_program *program, struct kft_strbuf *sb);

/*
 * Appends a field's value as JSON: a number, a string, an array of numbers (of bytes when
 * the element type is not known), or null if it lies beyond the record.
 */
void kft_raw_add_json(const struct kft_print_ctx *c, const struct kft_field *f,
		      struct kft_strbuf *sb);
