/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_SUGGEST_H
#define KFT_BASE_SUGGEST_H

#include "base/strbuf.h"

/*
 * "Did you mean": the few candidates nearest to a word that was not found. Feed it every
 * candidate there is, in any number; it keeps the best. Near is a small edit distance
 * (insert, delete, replace, swap neighbours) for the word's length, or the candidate
 * containing the word; only the nearest, and what is as near, are shown.
 */
#define KFT_SUGGEST_MAX 3
#define KFT_SUGGEST_WORD_MAX \
	63 /* longer words get no suggestions, longer candidates are cut out */

struct kft_suggest {
	const char *word; /* borrowed while in use */
	size_t word_len;
	size_t limit; /* largest distance that is still near */
	size_t n;
	/* nearest first; equally near ones in the order they were added */
	struct {
		char text[KFT_SUGGEST_WORD_MAX + 1];
		size_t distance;
	} best[KFT_SUGGEST_MAX];
};

void kft_suggest_init(struct kft_suggest *s, const char *word);

/* Copies what it keeps. A candidate that was given before is kept once. */
void kft_suggest_add(struct kft_suggest *s, const char *candidate, size_t len);

/* Appends "did you mean 'a', 'b' or 'c'?"; nothing when nothing was near. */
bool kft_suggest_text(const struct kft_suggest *s, struct kft_strbuf *sb);

#endif
