/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "decode/printfmt/expr.h"

/*
 * The tables of __print_flags() and __print_symbolic(), built once when a class
 * is compiled. They print the same as the kernel's trace_print_flags_seq() and
 * trace_print_symbols_seq().
 */
struct kft_name {
	uint64_t value;
	struct kft_text text;
};

struct kft_name_table {
	/* flags: in the given order; symbols: sorted by value */
	const struct kft_name *names;
	size_t n;
	struct kft_text delim; /* flags: text between names; data NULL for none */
	const uint16_t *direct; /* symbols: maps a value to index + 1, 0 for no name */
	size_t n_direct;
};

/*
 * Takes names over and, for symbols, sorts them (the first of equal values
 * wins). NULL when memory runs out.
 */
const struct kft_name_table *kft_name_table_flags(struct kft_arena *arena,
						  const struct kft_name *names, size_t n,
						  struct kft_text delim);
const struct kft_name_table *kft_name_table_symbols(struct kft_arena *arena,
						    struct kft_name *names, size_t n);

void kft_name_table_add_flags(const struct kft_name_table *t, uint64_t flags,
			      struct kft_strbuf *sb);
void kft_name_table_add_symbol(const struct kft_name_table *t, uint64_t value,
			       struct kft_strbuf *sb);

struct kft_constant {
	const char *name;
	uint8_t value;
};

/* data/constants, sorted by name */
extern const struct kft_constant kft_constants[];
extern const size_t kft_n_constants;

/*
 * Values of the names that remain in print formats: C's own, and enum members that the
 * kernel does not replace by their values, because no TRACE_DEFINE_ENUM() exports
 * them. False for an unknown name.
 */
bool kft_print_constant(const char *name, size_t len, uint64_t *ret);
