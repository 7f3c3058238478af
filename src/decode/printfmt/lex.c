// SPDX-License-Identifier: LGPL-2.1-or-later
/* Splits a print format into C's tokens. */
#include "decode/printfmt/lex.h"

#include <ctype.h>
#include <string.h>

bool kft_fmt_token_is_name(const struct kft_fmt_token *t, const char *s)
{
	size_t n = t->end - t->start;

	return t->kind == KFT_FMT_NAME && strlen(s) == n && memcmp(t->start, s, n) == 0;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static void skip_space(struct kft_fmt_lexer *lx)
{
	while (lx->p < lx->end && isspace((unsigned char)*lx->p))
		lx->p++;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void lex_number(struct kft_fmt_lexer *lx, struct kft_fmt_token *t)
{
	const char *p = lx->p;
	int base = 10;

	if (*p == '0') {
		base = 8;
		if (lx->end - p > 2 && (p[1] | 0x20) == 'x') {
			base = 16;
			p += 2;
		} else if (lx->end - p > 2 && (p[1] | 0x20) == 'b') {
			base = 2;
			p += 2;
		}
	}
	t->kind = KFT_FMT_NUMBER;
	t->is_decimal = base == 10;
	for (; p < lx->end && digit_of(*p) < base; p++)
		t->number = t->number * base + digit_of(*p);
	for (; p < lx->end; p++) {
		if ((*p | 0x20) == 'u')
			t->is_unsigned = true;
		else if ((*p | 0x20) == 'l')
			t->longs++;
		else
			break;
	}
	if (p < lx->end && is_name_char(*p))
		t->kind = KFT_FMT_BAD;
	lx->p = p;
}

/* Reads an escape of a string or character constant, after its backslash. */
static char lex_escape(struct kft_fmt_lexer *lx)
{
	static const char from[] = "ntrabfve";
	static const char to[] = "\n\t\r\a\b\f\v\033";
	char c = *lx->p++;
	unsigned int v = 0;

	if (c >= '0' && c <= '7') {
		lx->p--;
		for (int i = 0; i < 3 && lx->p < lx->end && digit_of(*lx->p) < 8; i++)
			v = v * 8 + digit_of(*lx->p++);
		return v;
	}
	if (c == 'x') {
		for (int i = 0; i < 2 && lx->p < lx->end && digit_of(*lx->p) < 16; i++)
			v = v * 16 + digit_of(*lx->p++);
		return v;
	}
	const char *known = c ? strchr(from, c) : NULL;
	return known ? to[known - from] : c;
}

/* Reads up to the closing quote; the opening one was consumed. */
static bool lex_quoted(struct kft_fmt_lexer *lx, char quote, char *out, size_t *len)
{
	while (lx->p < lx->end && *lx->p != quote) {
		char c = *lx->p++;

		if (c == '\\') {
			if (lx->p == lx->end)
				return false;
			c = lex_escape(lx);
		}
		out[(*len)++] = c;
	}
	if (lx->p == lx->end)
		return false;
	lx->p++;
	return true;
}

/* Upper limit of the text of the string tokens that follow each other from here. */
static size_t string_room(const struct kft_fmt_lexer *lx)
{
	struct kft_fmt_lexer ahead = *lx;

	for (;;) {
		ahead.p++;
		while (ahead.p < ahead.end && *ahead.p != '"')
			ahead.p += *ahead.p == '\\' && ahead.end - ahead.p > 1 ? 2 : 1;
		if (ahead.p >= ahead.end)
			return ahead.end - lx->p;
		ahead.p++;
		skip_space(&ahead);
		if (ahead.p == ahead.end || *ahead.p != '"')
			return ahead.p - lx->p;
	}
}

static void lex_string(struct kft_fmt_lexer *lx, struct kft_fmt_token *t)
{
	char *out = kft_arena_alloc(lx->arena, string_room(lx) + 1);

	t->kind = KFT_FMT_BAD;
	if (!out)
		return;
	for (;;) {
		lx->p++;
		if (!lex_quoted(lx, '"', out, &t->len))
			return;
		const char *behind = lx->p;
		skip_space(lx);
		if (lx->p == lx->end || *lx->p != '"') {
			lx->p = behind;
			break;
		}
	}
	out[t->len] = '\0';
	t->text = out;
	t->kind = KFT_FMT_STRING;
}

/* Whether the quote at p ends a format string. */
static bool ends_format(const char *p, const char *end)
{
	const char *next = p + 1;

	while (next < end && isspace((unsigned char)*next))
		next++;
	return next == end || *next == ',' || (*next == '"' && next > p + 1);
}

void kft_fmt_lex_format(struct kft_fmt_lexer *lx, struct kft_fmt_token *ret)
{
	struct kft_fmt_token t = {.kind = KFT_FMT_BAD};
	char *out = kft_arena_alloc(lx->arena, lx->end - lx->p + 1);

	skip_space(lx);
	t.start = lx->p;
	bool inside = false;
	while (out && lx->p < lx->end) {
		char c = *lx->p++;

		if (c == '"' && (!inside || ends_format(lx->p - 1, lx->end))) {
			inside = !inside;
			if (inside)
				continue;
			const char *behind = lx->p;
			skip_space(lx);
			if (lx->p < lx->end && *lx->p == '"')
				continue;
			lx->p = behind;
			t.kind = KFT_FMT_STRING;
			break;
		}
		if (!inside)
			break;
		if (c == '\\' && lx->p < lx->end)
			c = lex_escape(lx);
		out[t.len++] = c;
	}
	t.text = out;
	t.end = lx->p;
	*ret = t;
}

static void lex_char(struct kft_fmt_lexer *lx, struct kft_fmt_token *t)
{
	size_t len = 0;
	char c[2] = {};

	t->kind = KFT_FMT_BAD;
	lx->p++;
	if (lx->p == lx->end || *lx->p == '\'')
		return;
	if (*lx->p == '\\') {
		lx->p++;
		if (lx->p == lx->end)
			return;
		c[len++] = lex_escape(lx);
	} else {
		c[len++] = *lx->p++;
	}
	if (lx->p == lx->end || *lx->p != '\'')
		return;
	lx->p++;
	t->kind = KFT_FMT_NUMBER;
	t->is_decimal = true;
	t->number = (uint64_t)(int64_t)(signed char)c[0];
}

static void lex_punct(struct kft_fmt_lexer *lx, struct kft_fmt_token *t)
{
	static const char twos[][3] = {
		"->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--"};

	t->kind = KFT_FMT_PUNCT;
	for (size_t i = 0; i < ARRAY_SIZE(twos) && lx->end - lx->p > 1; i++) {
		if (memcmp(lx->p, twos[i], 2) == 0) {
			t->punct = KFT_PUNCT2(twos[i][0], twos[i][1]);
			lx->p += 2;
			return;
		}
	}
	t->punct = (unsigned char)*lx->p++;
}

void kft_fmt_lex(struct kft_fmt_lexer *lx, struct kft_fmt_token *ret)
{
	struct kft_fmt_token t = {};

	skip_space(lx);
	t.start = lx->p;
	if (lx->p == lx->end) {
		t.kind = KFT_FMT_END;
	} else if (isdigit((unsigned char)*lx->p)) {
		lex_number(lx, &t);
	} else if (is_name_char(*lx->p)) {
		t.kind = KFT_FMT_NAME;
		while (lx->p < lx->end && is_name_char(*lx->p))
			lx->p++;
	} else if (*lx->p == '"') {
		lex_string(lx, &t);
	} else if (*lx->p == '\'') {
		lex_char(lx, &t);
	} else {
		lex_punct(lx, &t);
	}
	t.end = lx->p;
	*ret = t;
}
