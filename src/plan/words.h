/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_WORDS_H
#define KFT_PLAN_WORDS_H

#include "plan/diag.h"
#include "plan/lexer.h"

/*
 * The words of a configuration one by one, with a look at the next one, and the
 * complaints about a word that is not what was expected. All else borrowed.
 */
struct kft_words {
	struct kft_lexer lexer;
	struct kft_token tok; /* the next one, not yet taken */
	struct kft_arena *arena; /* for copies of words */
	struct kft_diags *diags;
	bool out_of_memory; /* sticky: what was read is not complete */
};

void kft_words_init(struct kft_words *w, const char *text, size_t len,
		    struct kft_arena *arena, struct kft_diags *diags);

/* Step over the next token. */
void kft_words_skip(struct kft_words *w);

/* The next token is this word, unquoted. */
bool kft_words_at(const struct kft_words *w, const char *word);

/* The same, and it is stepped over. */
bool kft_words_accept(struct kft_words *w, const char *word);

/* At a word that begins a clause or is new, begin or end: it ends any list. */
bool kft_words_at_keyword(const struct kft_words *w);

/*
 * A copy of the next word or string, stepped over; NULL after a complaint. A keyword is
 * no argument, so that a missing one costs one complaint and not the clause behind it.
 */
const char *kft_words_take(struct kft_words *w, const char *what);

/*
 * Complain that `what` was expected where the next token is. Adds the nearest of the
 * choices (ends with NULL; may be NULL) as advice. Returns -EINVAL.
 */
int kft_words_expected(struct kft_words *w, const char *what, const char *const *choices);

/* The same about a word at pos that has been taken. */
int kft_words_wrong(struct kft_words *w, struct kft_pos pos, const char *word,
		    const char *what);

#endif
