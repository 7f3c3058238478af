// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/symbol.h"

#include <errno.h>

void kft_symbol_table_finish(struct kft_symbol_table *t)
{
	kft_vec_finish(&t->syms);
}

int kft_symbol_table_add(struct kft_symbol_table *t, const struct kft_symbol *s)
{
	if (!kft_vec_push(&t->syms, *s))
		return -ENOMEM;
	t->sorted = false;
	return 0;
}

static int by_addr(const void *pa, const void *pb)
{
	const struct kft_symbol *a = pa;
	const struct kft_symbol *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	/* Names lie in the text in the order in which they were added. */
	return a->name < b->name ? -1 : a->name > b->name;
}

void kft_symbol_table_sort(struct kft_symbol_table *t)
{
	bool in_order = true;

	for (size_t i = 1; i < t->syms.len && in_order; i++)
		in_order = by_addr(&t->syms.data[i - 1], &t->syms.data[i]) <= 0;
	if (!in_order)
		qsort(t->syms.data, t->syms.len, sizeof(*t->syms.data), by_addr);
	t->sorted = true;
}

const struct kft_symbol *kft_symbol_lookup(const struct kft_symbol_table *t,
					   uint64_t addr)
{
	size_t lo = 0;
	size_t hi = t->syms.len;

	/* First symbol above addr. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->syms.data[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return NULL;
	/* Aliases share an address: the first one is the one that the kernel names. */
	while (lo > 1 && t->syms.data[lo - 2].addr == t->syms.data[lo - 1].addr)
		lo--;
	return &t->syms.data[lo - 1];
}
