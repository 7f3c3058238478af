// SPDX-License-Identifier: LGPL-2.1-or-later
/* Looks up symbols by address. */
#include "model/symbol.h"

#include <errno.h>
#include <string.h>

void kft_symbol_table_finish(struct kft_symbol_table *t)
{
	kft_vec_finish(&t->syms);
	kft_vec_finish(&t->loads);
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
	/* Names are stored in the text in the order in which they were added. */
	return a->name < b->name ? -1 : a->name > b->name;
}

/* The number of symbols that are already in order at the start. */
static size_t sorted_prefix(const struct kft_symbol *syms, size_t n)
{
	size_t i = 1;

	while (i < n && by_addr(&syms[i - 1], &syms[i]) <= 0)
		i++;
	return i;
}

/* Merges the sorted parts [0, middle) and [middle, n), from the end backwards. */
static bool merge_parts(struct kft_symbol *syms, size_t middle, size_t n)
{
	size_t tail = n - middle;
	_cleanup_free_ struct kft_symbol *copy = malloc(tail * sizeof(*copy));

	if (!copy)
		return false;
	memcpy(copy, syms + middle, tail * sizeof(*copy));
	while (tail) {
		if (middle && by_addr(&syms[middle - 1], &copy[tail - 1]) > 0)
			syms[--n] = syms[--middle];
		else
			syms[--n] = copy[--tail];
	}
	return true;
}

static bool has_name(const struct kft_symbol *s, const char *name)
{
	return s->name_len == strlen(name) && !memcmp(s->name, name, s->name_len);
}

/*
 * Finds the section IRQENTRY_TEXT of include/asm-generic/vmlinux.lds.h, which ftrace
 * uses as well. Its start and end symbols can be aliases, which symbol lists omit: on
 * arm64 the start is _stext.
 */
static void find_irq_section(struct kft_symbol_table *t)
{
	t->irq_start = 0;
	t->irq_end = 0;
	kft_vec_for_each(&t->syms, s) {
		if (has_name(s, "__irqentry_text_start"))
			t->irq_start = s->addr;
		else if (has_name(s, "__irqentry_text_end"))
			t->irq_end = s->addr;
	}
	/*
	 * With only one end known, or addresses hidden as 0, every function would
	 * seem to be in the section.
	 */
	if (!t->irq_start || !t->irq_end)
		t->irq_start = t->irq_end = 0;
}

void kft_symbol_table_sort(struct kft_symbol_table *t)
{
	struct kft_symbol *syms = t->syms.data;
	size_t n = t->syms.len;
	size_t middle = sorted_prefix(syms, n);

	/*
	 * The kernel's own symbols are sorted already; those of
	 * modules after them are not.
	 */
	if (middle < n) {
		qsort(syms + middle, n - middle, sizeof(*syms), by_addr);
		if (!merge_parts(syms, middle, n))
			qsort(syms, n, sizeof(*syms), by_addr);
	}
	t->sorted = true;
	find_irq_section(t);
}

/* Whether a symbol is of a load that the address does not belong to. */
static bool is_of_other_load(const struct kft_symbol *s, uint64_t addr)
{
	return s->addr >> 60 == 8 && s->addr >> 48 != addr >> 48;
}

const struct kft_symbol *kft_symbol_lookup(const struct kft_symbol_table *t,
					   uint64_t addr)
{
	/* Binary search for the first symbol above addr. */
	size_t lo = kft_count_leading(t->syms.len, mid, t->syms.data[mid].addr <= addr);
	if (lo == 0)
		return NULL;
	/*
	 * Aliases share an address: the first of them is the name that the kernel uses.
	 */
	while (lo > 1 && t->syms.data[lo - 2].addr == t->syms.data[lo - 1].addr)
		lo--;
	const struct kft_symbol *s = &t->syms.data[lo - 1];

	return t->loads.len && is_of_other_load(s, addr) ? NULL : s;
}

static bool is_same_module(const struct kft_symbol_load *a,
			   const struct kft_symbol_load *b)
{
	return a->module_len == b->module_len &&
	       memcmp(a->module, b->module, a->module_len) == 0;
}

uint64_t kft_symbol_find_load(const struct kft_symbol_table *t, uint64_t addr,
			      uint64_t ts)
{
	const struct kft_symbol_load *found = NULL;

	kft_vec_for_each(&t->loads, l) {
		if (addr < l->first || addr > l->last || ts < l->since || ts > l->until)
			continue;
		if (found && !is_same_module(found, l))
			return addr;
		if (!found || found->named > addr)
			found = l;
	}
	return found && found->named <= addr ? found->tag | (addr << 16 >> 16) : addr;
}
