// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses /proc/kallsyms and System.map. */
#include "decode/kallsyms.h"

#include <errno.h>
#include <string.h>

/*
 * A guess below the real 40 to 50 bytes a line, so that the table rarely
 * grows while it is filled.
 */
#define LINE_BYTES_GUESS 36

#define LOAD_LINE "kft:load:"
#define NAME_LINE "kft:name:"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parses "\t[module]" at the end of a line. */
static void set_module(const char *p, const char *end, struct kft_symbol *s)
{
	while (p < end && (*p == '\t' || *p == ' '))
		p++;
	if (end - p > 2 && *p == '[' && end[-1] == ']') {
		s->module = p + 1;
		s->module_len = end - p - 2;
	}
}

int kft_kallsyms_parse_line(const char *p, const char *end, struct kft_symbol *s)
{
	const char *start = p;
	uint64_t addr = 0;
	int digit;

	for (; p < end && (digit = hex_digit(*p)) >= 0; p++)
		addr = addr << 4 | (unsigned int)digit;
	if (p == start || p - start > 16 || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return -1;
	char type = p[1];
	const char *name = p + 3;
	for (p = name; p < end && *p != '\t' && *p != ' ';)
		p++;
	if (p == name)
		return -1;
	if (*name == '$' || type == 'a' || type == 'A')
		return 0;
	*s = (struct kft_symbol){.addr = addr, .name = name};
	s->name_len = p - name;
	set_module(p, end, s);
	return 1;
}

static bool begins(const char *p, const char *end, const char *start)
{
	size_t len = strlen(start);

	return (size_t)(end - p) > len && memcmp(p, start, len) == 0;
}

/* A number and the character behind it. */
static bool take_number(const char **p, const char *end, unsigned int base, char stop,
			uint64_t *ret)
{
	uint64_t v = 0;
	int digit;

	for (; *p < end && (digit = hex_digit(**p)) >= 0; (*p)++) {
		if (digit >= (int)base || v > (UINT64_MAX - digit) / base)
			return false;
		v = v * base + digit;
	}
	*ret = v;
	return *p < end && *(*p)++ == stop;
}

/* "kft:load:LAST:SINCE:UNTIL", of which first is known. */
static int add_load(struct kft_symbol_table *t, uint64_t first, const char *p,
		    const char *end)
{
	struct kft_symbol_load l = {.first = first, .named = UINT64_MAX};
	struct kft_symbol s = {};

	p += strlen(LOAD_LINE);
	if (t->loads.len == KFT_SYMBOL_LOADS_MAX ||
	    !take_number(&p, end, 16, ':', &l.last) ||
	    !take_number(&p, end, 10, ':', &l.since) ||
	    !take_number(&p, end, 10, '\t', &l.until))
		return -1;
	set_module(p, end, &s);
	if (!s.module)
		return -1;
	l.tag = KFT_SYMBOL_TAG(t->loads.len);
	l.module = s.module;
	l.module_len = s.module_len;
	return kft_vec_push(&t->loads, l) ? 0 : -ENOMEM;
}

/* "kft:name:NAME": a symbol of the last load. */
static int add_name(struct kft_symbol_table *t, uint64_t addr, const char *p,
		    const char *end)
{
	struct kft_symbol_load *l = t->loads.len ? &t->loads.data[t->loads.len - 1]
						 : NULL;
	const char *name = p + strlen(NAME_LINE);
	const char *tab = memchr(name, '\t', end - name);

	if (!l || !tab || tab == name || addr < l->first || addr > l->last)
		return -1;
	struct kft_symbol s = {
		.addr = l->tag | (addr << 16 >> 16),
		.name = name,
		.name_len = tab - name,
	};
	set_module(tab, end, &s);
	l->named = KFT_MIN(l->named, addr);
	return kft_vec_push(&t->syms, s) ? 0 : -ENOMEM;
}

/* A line of kft's own among those that are left out: 0, -1 for a bad line, -ENOMEM. */
static int add_own_line(struct kft_symbol_table *t, const char *p, const char *end)
{
	uint64_t addr;

	if (!take_number(&p, end, 16, ' ', &addr) || !begins(p, end, "a "))
		return 0;
	p += 2;
	if (begins(p, end, LOAD_LINE))
		return add_load(t, addr, p, end);
	return begins(p, end, NAME_LINE) ? add_name(t, addr, p, end) : 0;
}

/*
 * Keeps the first symbol of each address. The table is sorted, with equal
 * addresses in the order of the text.
 */
static void drop_aliases(struct kft_symbol_table *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->syms.len; i++)
		if (kept == 0 || t->syms.data[i].addr != t->syms.data[kept - 1].addr)
			t->syms.data[kept++] = t->syms.data[i];
	t->syms.len = kept;
}

int kft_kallsyms_parse(const char *text, size_t len, struct kft_symbol_table *t,
		       size_t *ret_bad)
{
	size_t bad = 0;

	*ret_bad = 0;
	if (len == 0)
		return 0;
	const char *end = text + len;
	if (!kft_vec_reserve(&t->syms, len / LINE_BYTES_GUESS))
		return -ENOMEM;
	for (const char *p = text; p < end;) {
		const char *nl = memchr(p, '\n', end - p);
		const char *stop = nl ? nl : end;
		struct kft_symbol s;
		int r = p == stop ? 0 : kft_kallsyms_parse_line(p, stop, &s);

		if (r > 0 && !kft_vec_push(&t->syms, s))
			return -ENOMEM;
		if (r == 0 && p != stop)
			r = add_own_line(t, p, stop);
		if (r == -ENOMEM)
			return r;
		bad += r < 0;
		p = nl ? nl + 1 : end;
	}
	kft_symbol_table_sort(t);
	drop_aliases(t);
	if (t->syms.len == 1 && t->syms.data[0].addr == 0)
		t->syms.len = 0;
	*ret_bad = bad;
	return 0;
}
