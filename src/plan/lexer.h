/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_LEXER_H
#define KFT_PLAN_LEXER_H

#include "base/macro.h"

/*
 * Words of a KFT configuration. Blanks, tabs and line ends only separate; `#` starts a
 * comment that ends with its line; a comma is a token of its own; "..." on one line is a
 * word that may hold anything and is never a keyword.
 */

/* Both count from 1, columns in bytes; line 0: not in any file. */
struct kft_pos {
	uint32_t line;
	uint32_t col;
};

enum kft_token_kind {
	KFT_TOKEN_END, /* of the text, again and again */
	KFT_TOKEN_WORD,
	KFT_TOKEN_STRING, /* text is what stands between the quotes */
	KFT_TOKEN_COMMA,
	KFT_TOKEN_UNCLOSED, /* a quote without the one that closes it */
	KFT_TOKEN_BAD_BYTE, /* a control character: text is this byte */
};

struct kft_token {
	enum kft_token_kind kind;
	struct kft_pos pos;
	const char *text; /* borrowed from the lexer's text, not NUL terminated */
	size_t len;
};

struct kft_lexer {
	const char *p; /* borrowed until the caller is done */
	const char *end;
	struct kft_pos pos;
};

/* A byte order mark at the start is stepped over. */
void kft_lexer_init(struct kft_lexer *l, const char *text, size_t len);

/* Cannot fail: what is no token is a token that says so. */
struct kft_token kft_lexer_next(struct kft_lexer *l);

#endif
