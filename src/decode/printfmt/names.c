// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds the tables of __print_flags() and __print_symbolic(). */
#include "decode/printfmt/names.h"

/* Values below this are looked up in an array. */
#define DIRECT_MAX 1024

const struct kft_name_table *kft_name_table_flags(struct kft_arena *arena,
						  const struct kft_name *names, size_t n,
						  struct kft_text delim)
{
	struct kft_name_table *t = kft_arena_alloc(arena, sizeof(*t));

	if (t)
		*t = (struct kft_name_table){.names = names, .n = n, .delim = delim};
	return t;
}

static int by_value(const void *pa, const void *pb)
{
	const struct kft_name *a = pa;
	const struct kft_name *b = pb;

	return a->value < b->value ? -1 : a->value > b->value;
}

/*
 * Insertion sort keeps the order of equal values and is fast for sorted input, which most
 * tables are; the parser limits the number of names.
 */
static void sort_names(struct kft_name *names, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct kft_name x = names[i];
		size_t k = i;

		for (; k > 0 && names[k - 1].value > x.value; k--)
			names[k] = names[k - 1];
		names[k] = x;
	}
}

static size_t drop_repeated(struct kft_name *names, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (kept == 0 || names[kept - 1].value != names[i].value)
			names[kept++] = names[i];
	return kept;
}

static bool make_direct(struct kft_arena *arena, struct kft_name_table *t)
{
	size_t n = 0;

	while (n < t->n && t->names[n].value < DIRECT_MAX)
		n++;
	if (n == 0)
		return true;
	size_t n_direct = t->names[n - 1].value + 1;
	uint16_t *direct = kft_arena_calloc(arena, n_direct, sizeof(*direct));
	if (!direct)
		return false;
	for (size_t i = 0; i < n; i++)
		direct[t->names[i].value] = i + 1;
	t->direct = direct;
	t->n_direct = n_direct;
	return true;
}

const struct kft_name_table *kft_name_table_symbols(struct kft_arena *arena,
						    struct kft_name *names, size_t n)
{
	struct kft_name_table *t = kft_arena_alloc(arena, sizeof(*t));

	if (!t)
		return NULL;
	sort_names(names, n);
	t->names = names;
	t->n = drop_repeated(names, n);
	return make_direct(arena, t) ? t : NULL;
}

static void add_hex(struct kft_strbuf *sb, uint64_t v)
{
	kft_strbuf_add(sb, "0x", 2);
	kft_strbuf_addx(sb, v, 1);
}

void kft_name_table_add_flags(const struct kft_name_table *t, uint64_t flags,
			      struct kft_strbuf *sb)
{
	bool first = true;

	for (size_t i = 0; i < t->n && flags; i++) {
		const struct kft_name *name = &t->names[i];

		if ((flags & name->value) != name->value)
			continue;
		flags &= ~name->value;
		if (!first && t->delim.data)
			kft_strbuf_add(sb, t->delim.data, t->delim.len);
		first = false;
		kft_strbuf_add(sb, name->text.data, name->text.len);
	}
	if (!flags)
		return;
	if (!first && t->delim.data)
		kft_strbuf_add(sb, t->delim.data, t->delim.len);
	add_hex(sb, flags);
}

static const struct kft_name *find(const struct kft_name_table *t, uint64_t value)
{
	if (value < t->n_direct)
		return t->direct[value] ? &t->names[t->direct[value] - 1] : NULL;
	const struct kft_name key = {.value = value};
	return t->n ? bsearch(&key, t->names, t->n, sizeof(key), by_value) : NULL;
}

void kft_name_table_add_symbol(const struct kft_name_table *t, uint64_t value,
			       struct kft_strbuf *sb)
{
	const struct kft_name *name = find(t, value);

	if (name && name->text.len)
		kft_strbuf_add(sb, name->text.data, name->text.len);
	else
		add_hex(sb, value);
}

bool kft_print_constant(const char *name, size_t len, uint64_t *ret)
{
	const struct kft_constant *all = kft_constants;
	size_t i = kft_count_leading(kft_n_constants, at,
				     strncmp(all[at].name, name, len) < 0);

	/* Longer names that begin with this one come after it. */
	if (i == kft_n_constants || strncmp(all[i].name, name, len) != 0 ||
	    all[i].name[len])
		return false;
	*ret = all[i].value;
	return true;
}
