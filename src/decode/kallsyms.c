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
