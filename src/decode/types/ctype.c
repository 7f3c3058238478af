// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses C types in format texts. */
#include "decode/types/ctype.h"

#include <ctype.h>
#include <string.h>

/* A size equal to that of the kernel's long. */
#define LONG 0

struct named_type {
	const char *name;
	uint8_t size;
	bool is_signed;
};

/*
 * Typedefs in the kernel's events; those with different sizes in
 * different kernels are left out.
 */
static const struct named_type named_types[] = {
	{"u8", 1, false},
	{"u16", 2, false},
	{"u32", 4, false},
	{"u64", 8, false},
	{"s8", 1, true},
	{"s16", 2, true},
	{"s32", 4, true},
	{"s64", 8, true},
	{"__u8", 1, false},
	{"__u16", 2, false},
	{"__u32", 4, false},
	{"__u64", 8, false},
	{"__s8", 1, true},
	{"__s16", 2, true},
	{"__s32", 4, true},
	{"__s64", 8, true},
	{"uint8_t", 1, false},
	{"uint16_t", 2, false},
	{"uint32_t", 4, false},
	{"uint64_t", 8, false},
	{"int8_t", 1, true},
	{"int16_t", 2, true},
	{"int32_t", 4, true},
	{"int64_t", 8, true},
	{"__be16", 2, false},
	{"__be32", 4, false},
	{"__be64", 8, false},
	{"__le16", 2, false},
	{"__le32", 4, false},
	{"__le64", 8, false},
	{"__sum16", 2, false},
	{"__wsum", 4, false},
	{"bool", 1, false},
	{"_Bool", 1, false},
	{"uint", 4, false},
	{"ushort", 2, false},
	{"ulong", LONG, false},
	{"size_t", LONG, false},
	{"ssize_t", LONG, true},
	{"uintptr_t", LONG, false},
	{"ptrdiff_t", LONG, true},
	{"pgoff_t", LONG, false},
	{"cpumask_t", LONG, false},
	{"ino_t", LONG, false},
	{"loff_t", 8, true},
	{"off_t", LONG, true},
	{"sector_t", 8, false},
	{"blkcnt_t", 8, false},
	{"ktime_t", 8, true},
	{"time64_t", 8, true},
	{"pid_t", 4, true},
	{"tid_t", 4, false},
	{"uid_t", 4, false},
	{"gid_t", 4, false},
	{"dev_t", 4, false},
	{"gfp_t", 4, false},
	{"fmode_t", 4, false},
	{"umode_t", 2, false},
	{"mode_t", 2, false},
	{"blk_opf_t", 4, false},
	{"blk_status_t", 1, false},
	{"isolate_mode_t", 4, false},
	{"vm_fault_t", 4, false},
	{"ext4_lblk_t", 4, false},
	{"ext4_fsblk_t", 8, false},
	{"gva_t", LONG, false},
	{"gpa_t", 8, false},
	{"gfn_t", 8, false},
	{"hpa_t", 8, false},
	{"hfn_t", 8, false},
	{"vm_flags_t", LONG, false},
	{"block_t", 4, false},
	{"nid_t", 4, false},
};

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
	const struct named_type *named;
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

static const struct named_type *find_named(const char *w, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(named_types); i++)
		if (word_is(w, n, named_types[i].name))
			return &named_types[i];
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
		t->is_long = ws->named->size == LONG;
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
