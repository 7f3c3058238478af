/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"

/*
 * Splits a `print fmt` into C tokens. Adjacent strings are one token, as in C.
 * Only lack of memory makes it fail; text that is not a token becomes
 * KFT_FMT_BAD, at which the parser stops.
 */
enum kft_fmt_token_kind {
	KFT_FMT_END,
	KFT_FMT_NAME,
	KFT_FMT_NUMBER, /* also character constants */
	KFT_FMT_STRING,
	KFT_FMT_PUNCT,
	KFT_FMT_BAD,
};

/* Operators of two characters; an operator of one is its own character code. */
#define KFT_PUNCT2(a, b) ((a) | (b) << 8)

struct kft_fmt_token {
	enum kft_fmt_token_kind kind;
	const char *start; /* first character in the text */
	const char *end;
	int punct;
	uint64_t number;
	bool is_unsigned; /* has the suffix u */
	bool is_decimal;
	uint8_t longs; /* number of l in the suffix */
	const char *text; /* a string's contents, NUL terminated, in the arena */
	size_t len;
};

struct kft_fmt_lexer {
	const char *p;
	const char *end;
	struct kft_arena *arena;
};

/*
 * Reads the string that begins a print fmt. The kernel shows that string unescaped, so
 * that quotes inside it have no backslash. A quote therefore ends the string only if a
 * comma, the end of the text, or blanks and another string follow.
 */
void kft_fmt_lex_format(struct kft_fmt_lexer *lx, struct kft_fmt_token *ret);

void kft_fmt_lex(struct kft_fmt_lexer *lx, struct kft_fmt_token *ret);

static inline bool kft_fmt_token_is(const struct kft_fmt_token *t, int punct)
{
	return t->kind == KFT_FMT_PUNCT && t->punct == punct;
}

/* Whether the token is a name equal to s. */
bool kft_fmt_token_is_name(const struct kft_fmt_token *t, const char *s);
