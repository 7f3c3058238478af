/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "plan/diag.h"
#include "plan/kft/lexer.h"

/*
 * Reads the words of a configuration with one word of lookahead, and reports
 * unexpected ones. Pointers are borrowed.
 */
struct kft_words {
	struct kft_lexer lexer;
	struct kft_token tok; /* the next token, not consumed yet */
	struct kft_arena *arena; /* for copies of words */
	struct kft_diags *diags;
	bool out_of_memory; /* sticky: the result is incomplete */
};

void kft_words_init(struct kft_words *w, const char *text, size_t len,
		    struct kft_arena *arena, struct kft_diags *diags);

/* Consumes the next token. */
void kft_words_skip(struct kft_words *w);

/* Whether the next token is this word, unquoted. */
bool kft_words_at(const struct kft_words *w, const char *word);

/* Does the same, and consumes the word. */
bool kft_words_accept(struct kft_words *w, const char *word);

/* Whether the next token begins a clause or is new, begin or end; it ends any list. */
bool kft_words_at_keyword(const struct kft_words *w);

/*
 * Consumes a word or string and returns a copy; NULL after a complaint. A keyword is not
 * accepted, so that a missing argument costs one complaint and not the next clause.
 */
const char *kft_words_take(struct kft_words *w, const char *what);

/*
 * Reports that `what` was expected in place of the next token. Suggests the most similar
 * of the choices (ends with NULL; may be NULL). Returns -EINVAL.
 */
int kft_words_expected(struct kft_words *w, const char *what, const char *const *choices);

/* Does the same for a word at pos that was consumed already. */
int kft_words_wrong(struct kft_words *w, struct kft_pos pos, const char *word,
		    const char *what);
