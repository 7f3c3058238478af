/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

/* Tokens of TSDL, the language of CTF 1.8's metadata (appendix C). */

enum kft_ctf_token_kind {
	KFT_CTF_END,
	KFT_CTF_NAME, /* identifier or keyword */
	KFT_CTF_NUMBER, /* without a sign */
	KFT_CTF_QUOTED, /* text between the quotes, escapes unchanged */
	KFT_CTF_PUNCT, /* one character, or ":=" or "..." */
};

struct kft_ctf_token {
	enum kft_ctf_token_kind kind;
	const char *text; /* borrowed from the metadata, not NUL terminated */
	size_t len;
	uint64_t value;
};

struct kft_ctf_lex {
	const char *start; /* borrowed */
	const char *pos;
	const char *end;
	struct kft_ctf_token token; /* the next token */
};

/* Starts at the first token. An invalid character becomes a KFT_CTF_PUNCT. */
void kft_ctf_lex_init(struct kft_ctf_lex *l, const char *text, size_t len);

/* Moves to the next token. */
void kft_ctf_lex_next(struct kft_ctf_lex *l);

bool kft_ctf_token_is(const struct kft_ctf_token *t, const char *word);

/* Sets "line 3, column 7: 'word': MESSAGE". Returns -EINVAL. */
__printf_fmt(3, 4) int kft_ctf_lex_error(const struct kft_ctf_lex *l, struct kft_err *e,
					 const char *fmt, ...);
