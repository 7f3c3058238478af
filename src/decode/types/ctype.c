// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses C types in format texts. */
#include "decode/types/ctype.h"

#include <ctype.h>
#include <string.h>

struct words {
	unsigned int longs;
	unsigned int pointers;
	bool is_short;
	bool is_char;
	bool is_int;
	bool is_void;
	bool is_signed;
	bool is_unsigned;
	bool is_enum;
	bool is_struct;
	const struct kft_named_type *named;
	bool unknown;
};

static bool word_is(const char *w, size_t n, const char *s)
{
	return strlen(s) == n && memcmp(w, s, n) == 0;
}

static bool is_qualifier(const char *w, size_t n)
{
	static const char *const quals[] = {
		"const", "volatile", "__user", "__iomem",  "static",   "__force",
		"__rcu", "__percpu", "inline", "restrict", "__seg_gs", "__bitwise"};

	for (size_t i = 0; i < ARRAY_SIZE(quals); i++)
		if (word_is(w, n, quals[i]))
			return true;
	return false;
}

static const struct kft_named_type *find_named(const char *w, size_t n)
{
	for (const struct kft_named_type *type = kft_named_types; type->name; type++)
		if (word_is(w, n, type->name))
			return type;
	return NULL;
}

static void add_typedef(struct words *ws, const char *w, size_t n)
{
	ws->named = find_named(w, n);
	ws->unknown = !ws->named;
}

static void add_word(struct words *ws, const char *w, size_t n)
{
	if (is_qualifier(w, n))
		return;
	if (word_is(w, n, "long"))
		ws->longs++;
	else if (word_is(w, n, "short"))
		ws->is_short = true;
	else if (word_is(w, n, "char"))
		ws->is_char = true;
	else if (word_is(w, n, "int"))
		ws->is_int = true;
	else if (word_is(w, n, "void"))
		ws->is_void = true;
	else if (word_is(w, n, "signed"))
		ws->is_signed = true;
	else if (word_is(w, n, "unsigned"))
		ws->is_unsigned = true;
	else if (word_is(w, n, "enum"))
		ws->is_enum = true;
	else if (word_is(w, n, "struct") || word_is(w, n, "union"))
		ws->is_struct = true;
	/* after enum, struct or union the word is a tag */
	else if (!ws->is_enum && !ws->is_struct)
		add_typedef(ws, w, n);
}

/* The end of "__attribute__((...))" or of any parenthesis that starts at p. */
static const char *skip_parens(const char *p, const char *end)
{
	unsigned int depth = 0;

	for (; p < end; p++) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && --depth == 0)
			return p + 1;
	}
	return end;
}

static void read_words(const char *p, const char *end, struct words *ws)
{
	while (p < end) {
		const char *w = p;

		while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
			p++;
		if (p > w) {
			if (word_is(w, p - w, "__attribute__"))
				p = skip_parens(p, end);
			else
				add_word(ws, w, p - w);
		} else if (*p == '*') {
			ws->pointers++;
			p++;
		} else if (*p == ' ' || *p == '\t') {
			p++;
		} else {
			ws->unknown = true;
			p = *p == '(' ? skip_parens(p, end) : p + 1;
		}
	}
}

/* Determines the type that the words name, without its pointers. */
static bool base_of(const struct words *ws, uint32_t long_size, struct kft_ctype *t)
{
	t->is_signed = !ws->is_unsigned;
	if (ws->is_char) {
		t->size = 1;
		t->is_char = !ws->is_unsigned && !ws->is_signed;
	} else if (ws->is_short) {
		t->size = 2;
	} else if (ws->longs) {
		t->size = ws->longs > 1 ? 8 : long_size;
		t->is_long = ws->longs == 1;
	} else if (ws->is_int || ws->is_unsigned || ws->is_signed) {
		t->size = 4;
	} else if (ws->is_enum) {
		t->size = 4;
		t->is_signed = false;
	} else if (ws->named) {
		t->is_long = ws->named->size == KFT_SIZE_OF_LONG;
		t->size = t->is_long ? long_size : ws->named->size;
		t->is_signed = ws->named->is_signed;
		t->is_bool = strcmp(ws->named->name, "bool") == 0 ||
			     strcmp(ws->named->name, "_Bool") == 0;
	} else {
		t->is_struct = ws->is_struct;
		t->is_signed = false;
		return ws->is_void || ws->is_struct;
	}
	return !ws->unknown;
}

bool kft_ctype_parse(const char *text, size_t len, uint32_t long_size,
		     struct kft_ctype *ret)
{
	struct words ws = {};
	struct kft_ctype base = {};

	read_words(text, text + len, &ws);
	bool known = base_of(&ws, long_size, &base);
	if (ws.pointers == 0) {
		*ret = base;
		return known;
	}
	*ret = (struct kft_ctype){.size = long_size, .is_pointer = true, .is_long = true};
	if (ws.pointers == 1) {
		ret->target_size = base.size;
		ret->target_signed = base.is_signed;
		ret->target_char = base.is_char;
	} else {
		ret->target_size = long_size;
	}
	return known;
}
