/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

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

/*
 * One of several modules that lay in a range of addresses one after the other, and the times
 * between which it can have been there. The table has its symbols at addresses with tag in the
 * upper 16 bits, at which no kernel has symbols.
 */
struct kft_symbol_load {
	uint64_t first;
	uint64_t last;
	uint64_t since;
	uint64_t until;
	uint64_t tag;
	uint64_t named; /* its first symbol in the range; UINT64_MAX: none */
	const char *module; /* borrowed like symbols' names */
	uint32_t module_len;
};

struct kft_symbol_table {
	KFT_VEC(struct kft_symbol) syms;
	KFT_VEC(struct kft_symbol_load) loads;
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

/* Upper bits of the addresses of the n-th load's symbols, and the maximum number of loads. */
#define KFT_SYMBOL_TAG(n)    ((UINT64_C(0x8000) | (n)) << 48)
#define KFT_SYMBOL_LOADS_MAX 4096

uint64_t kft_symbol_find_load(const struct kft_symbol_table *t, uint64_t addr,
			      uint64_t ts);

/*
 * The address to look up for an address in an event: addr itself; or, if exactly one of the
 * modules that lay there in turn can have been there at ts, addr with the tag of that module.
 */
static inline uint64_t kft_symbol_at(const struct kft_symbol_table *t, uint64_t addr,
				     uint64_t ts)
{
	return likely(!t->loads.len) ? addr : kft_symbol_find_load(t, addr, ts);
}
