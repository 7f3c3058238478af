// SPDX-License-Identifier: LGPL-2.1-or-later
/* Splits TSDL, the metadata of CTF 1.8, into tokens. */
#include "file/ctf/tsdl/lex.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"

#define SHOWN_BYTES_MAX 40

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_name_char(char c)
{
	return is_name_start(c) || is_digit(c);
}

static bool starts(const struct kft_ctf_lex *l, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(l->end - l->pos) >= n && memcmp(l->pos, word, n) == 0;
}

/* A comment without an end reaches to the end of the text. */
static void skip_comment(struct kft_ctf_lex *l)
{
	const char *p = memmem(l->pos + 2, l->end - l->pos - 2, "*/", 2);

	l->pos = p ? p + 2 : l->end;
}

static void skip_line(struct kft_ctf_lex *l)
{
	const char *p = memchr(l->pos, '\n', l->end - l->pos);

	l->pos = p ? p : l->end;
}

static void skip_blanks(struct kft_ctf_lex *l)
{
	for (;;) {
		if (l->pos < l->end && strchr(" \t\r\n\f\v", *l->pos) && *l->pos)
			l->pos++;
		else if (starts(l, "/*"))
			skip_comment(l);
		else if (starts(l, "//"))
			skip_line(l);
		else
			return;
	}
}

static unsigned int digit_of(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10u : 99;
}

/*
 * C's integer literals; overflow or a digit that is invalid in the
 * base makes a KFT_CTF_PUNCT.
 */
static void lex_number(struct kft_ctf_lex *l, struct kft_ctf_token *t)
{
	unsigned int base = 10;

	if (starts(l, "0x") || starts(l, "0X")) {
		base = 16;
		l->pos += 2;
	} else if (starts(l, "0b") || starts(l, "0B")) {
		base = 2;
		l->pos += 2;
	} else if (*l->pos == '0') {
		base = 8;
	}
	const char *digits = l->pos;
	t->kind = KFT_CTF_NUMBER;
	for (; l->pos < l->end && digit_of(*l->pos) < base; l->pos++)
		if (kft_mul(t->value, base, &t->value) ||
		    kft_add(t->value, digit_of(*l->pos), &t->value))
			t->kind = KFT_CTF_PUNCT;
	if (l->pos == digits)
		t->kind = KFT_CTF_PUNCT;
	while (l->pos < l->end && strchr("uUlL", *l->pos) && *l->pos)
		l->pos++;
	if (l->pos < l->end && is_name_char(*l->pos))
		t->kind = KFT_CTF_PUNCT;
}

static void lex_quoted(struct kft_ctf_lex *l, struct kft_ctf_token *t)
{
	const char *p = l->pos + 1;

	while (p < l->end && *p != '"')
		p += *p == '\\' && p + 1 < l->end ? 2 : 1;
	if (p >= l->end) {
		t->kind = KFT_CTF_PUNCT;
		l->pos = l->end;
		return;
	}
	t->kind = KFT_CTF_QUOTED;
	t->text = l->pos + 1;
	t->len = p - t->text;
	l->pos = p + 1;
}

/*
 * Parses C's escapes; false for an invalid one. *p is after the backslash and moves on.
 */
static bool unescape(const char **p, const char *end, uint64_t *ret)
{
	static const char simple[] = "abfnrtv\\'\"?";
	static const char meaning[] = "\a\b\f\n\r\t\v\\'\"?";
	bool is_hex = *p < end && **p == 'x';
	unsigned int base = is_hex ? 16 : 8;
	const char *found = *p < end && **p ? strchr(simple, **p) : NULL;

	if (found) {
		*ret = meaning[found - simple];
		(*p)++;
		return true;
	}
	*p += is_hex;
	const char *digits = *p;
	for (*ret = 0;
	     *p < end && digit_of(**p) < base && *p - digits < (is_hex ? 2 : 3);)
		*ret = *ret * base + digit_of(*(*p)++);
	return *p > digits && *ret <= UINT8_MAX;
}

/* The value of a character literal is its byte. */
static void lex_char(struct kft_ctf_lex *l, struct kft_ctf_token *t)
{
	const char *p = l->pos + 1;
	uint64_t value = 0;
	bool good = p < l->end && *p != '\'' && *p != '\n';

	t->kind = KFT_CTF_PUNCT;
	if (good && *p == '\\') {
		p++;
		good = unescape(&p, l->end, &value);
	} else if (good) {
		value = (unsigned char)*p++;
	}
	l->pos++;
	if (!good || p >= l->end || *p != '\'')
		return;
	t->kind = KFT_CTF_NUMBER;
	t->value = value;
	l->pos = p + 1;
}

void kft_ctf_lex_next(struct kft_ctf_lex *l)
{
	struct kft_ctf_token t = {};

	skip_blanks(l);
	t.text = l->pos;
	if (l->pos == l->end) {
		l->token = t;
		return;
	}
	if (*l->pos == '"') {
		lex_quoted(l, &t);
		l->token = t;
		return;
	}
	if (*l->pos == '\'') {
		lex_char(l, &t);
	} else if (is_digit(*l->pos)) {
		lex_number(l, &t);
	} else if (is_name_start(*l->pos)) {
		t.kind = KFT_CTF_NAME;
		while (l->pos < l->end && is_name_char(*l->pos))
			l->pos++;
	} else {
		t.kind = KFT_CTF_PUNCT;
		l->pos += starts(l, "...") ? 3 : starts(l, ":=") ? 2 : 1;
	}
	t.len = l->pos - t.text;
	l->token = t;
}

void kft_ctf_lex_init(struct kft_ctf_lex *l, const char *text, size_t len)
{
	*l = (struct kft_ctf_lex){.start = text, .pos = text, .end = text + len};
	kft_ctf_lex_next(l);
}

bool kft_ctf_token_is(const struct kft_ctf_token *t, const char *word)
{
	return (t->kind == KFT_CTF_NAME || t->kind == KFT_CTF_PUNCT) &&
	       t->len == strlen(word) && memcmp(t->text, word, t->len) == 0;
}

int kft_ctf_lex_error(const struct kft_ctf_lex *l, struct kft_err *e, const char *fmt,
		      ...)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf word = {};
	unsigned int line = 1;
	const char *start = l->start;
	char text[256];
	va_list ap;

	for (const char *p = l->start; p < l->token.text; p++) {
		if (*p == '\n') {
			line++;
			start = p + 1;
		}
	}
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	kft_strbuf_add_escaped(&word, l->token.text,
			       KFT_MIN(l->token.len, (size_t)SHOWN_BYTES_MAX));
	return kft_err_set(e, -EINVAL, "line %u, column %td: '%s': %s", line,
			   l->token.text - start + 1, kft_strbuf_cstr(&word), text);
}
