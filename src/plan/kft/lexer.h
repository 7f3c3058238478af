/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * Splits a KFT configuration into words. Blanks, tabs and line ends only separate words;
 * `#` starts a comment up to the end of its line; a comma is a token of its own; "..." on
 * one line is a word that may contain any characters and is never a keyword.
 */

/* A position in a file. Both count from 1, columns in bytes; line 0: not in a file. */
struct kft_pos {
	uint32_t line;
	uint32_t col;
};

enum kft_token_kind {
	KFT_TOKEN_END, /* end of the text; returned again by further calls */
	KFT_TOKEN_WORD,
	KFT_TOKEN_STRING, /* text is between the quotes */
	KFT_TOKEN_COMMA,
	KFT_TOKEN_UNCLOSED, /* an opening quote without a closing one */
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

/* A byte order mark at the start is skipped. */
void kft_lexer_init(struct kft_lexer *l, const char *text, size_t len);

/* The next token. It never fails: bad text becomes a token of an error kind. */
struct kft_token kft_lexer_next(struct kft_lexer *l);
