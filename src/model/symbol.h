/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_SYMBOL_H
#define KFT_MODEL_SYMBOL_H

#include "base/vec.h"

/*
 * Kernel symbols by address. Names and modules are borrowed from the text they were
 * parsed from (decode/kallsyms.h), which the owner of the table keeps.
 */
struct kft_symbol {
	uint64_t addr;
	const char *name;
	const char *module; /* NULL for the kernel itself */
	uint32_t name_len;
	uint32_t module_len;
};

struct kft_symbol_table {
	KFT_VEC(struct kft_symbol) syms;
	bool sorted;
	/* The section of interrupt entry functions, set by sorting; 0 and 0: unknown. */
	uint64_t irq_start;
	uint64_t irq_end;
};

void kft_symbol_table_finish(struct kft_symbol_table *t);
/* For tests: adds a symbol. -ENOMEM. */
int kft_symbol_table_add(struct kft_symbol_table *t,
			 const struct kft_symbol *s) __must_check;

/*
 * Sorts by address; symbols at one address keep their order. Called
 * once, after all were added.
 */
void kft_symbol_table_sort(struct kft_symbol_table *t);

/*
 * The symbol at or next below addr, NULL when addr is below the first one. The table does
 * not have the sizes of functions: the caller has to check the distance.
 */
const struct kft_symbol *kft_symbol_lookup(const struct kft_symbol_table *t,
					   uint64_t addr);

#endif
