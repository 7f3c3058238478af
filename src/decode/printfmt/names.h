/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_NAMES_H
#define KFT_DECODE_PRINTFMT_NAMES_H

#include "base/strbuf.h"
#include "decode/printfmt/expr.h"

/*
 * The tables of __print_flags() and __print_symbolic(), read once when a class is
 * compiled. What they print is what the kernel's trace_print_flags_seq() and
 * trace_print_symbols_seq() do.
 */
struct kft_name {
	uint64_t value;
	struct kft_text text;
};

struct kft_name_table {
	const struct kft_name *names; /* flags: in the order given; symbols: by value */
	size_t n;
	struct kft_text delim; /* flags: between names; data NULL for none */
	const uint16_t *direct; /* symbols: value -> index + 1, 0 for none */
	size_t n_direct;
};

/*
 * names is taken over and, for symbols, sorted (of equal values the first stays).
 * NULL when out of memory.
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

#endif
