/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_LEX_H
#define KFT_DECODE_PRINTFMT_LEX_H

#include "base/arena.h"

/*
 * Words of a `print fmt`: C tokens. Strings that follow each other are one token, as in
 * C. Nothing in the text makes this fail but lack of memory; what is no token is
 * KFT_FMT_BAD, where the parser stops.
 */
enum kft_fmt_token_kind {
	KFT_FMT_END,
	KFT_FMT_NAME,
	KFT_FMT_NUMBER, /* character constants too */
	KFT_FMT_STRING,
	KFT_FMT_PUNCT,
	KFT_FMT_BAD,
};

/* Operators of two characters; those of one are their own code. */
#define KFT_PUNCT2(a, b) ((a) | (b) << 8)

struct kft_fmt_token {
	enum kft_fmt_token_kind kind;
	const char *start; /* in the text */
	const char *end;
	int punct;
	uint64_t number;
	bool is_unsigned; /* suffix u */
	bool is_decimal;
	uint8_t longs; /* suffix l or ll */
	const char *text; /* a string's content, NUL terminated, in the arena */
	size_t len;
};

struct kft_fmt_lexer {
	const char *p;
	const char *end;
	struct kft_arena *arena;
};

/*
 * The string that a print fmt starts with. The kernel puts the compiler's string there as
 * it is in memory, so that quotes within it have no backslash: one ends the string only
 * when a comma, the end of the text, or blanks and another string follow.
 */
void kft_fmt_lex_format(struct kft_fmt_lexer *lx, struct kft_fmt_token *ret);

void kft_fmt_lex(struct kft_fmt_lexer *lx, struct kft_fmt_token *ret);

static inline bool kft_fmt_token_is(const struct kft_fmt_token *t, int punct)
{
	return t->kind == KFT_FMT_PUNCT && t->punct == punct;
}

/* A name equal to s. */
bool kft_fmt_token_is_name(const struct kft_fmt_token *t, const char *s);

#endif
