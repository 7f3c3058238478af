/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * "Did you mean": the few candidates most similar to a word that was not found. Pass
 * every candidate to kft_suggest_add(), in any number. A candidate is near if its edit
 * distance (insert, delete, replace, swap neighbours) is small for the word's length, or
 * if it contains the word; the text names those with the smallest distance.
 */
#define KFT_SUGGEST_MAX 3
#define KFT_SUGGEST_WORD_MAX \
	63 /* longer words get no suggestions, longer candidates are ignored */

struct kft_suggest {
	const char *word; /* borrowed while in use */
	size_t word_len;
	size_t limit; /* largest distance that counts as near */
	size_t n;
	/* The nearest first; candidates at the same distance in the order of adding. */
	struct {
		char text[KFT_SUGGEST_WORD_MAX + 1];
		size_t distance;
	} best[KFT_SUGGEST_MAX];
};

void kft_suggest_init(struct kft_suggest *s, const char *word);

/* Copies the candidates that it keeps. Duplicates are kept once. */
void kft_suggest_add(struct kft_suggest *s, const char *candidate, size_t len);

/*
 * Appends "did you mean 'a', 'b' or 'c'?"; nothing, and false, without a near candidate.
 */
bool kft_suggest_text(const struct kft_suggest *s, struct kft_strbuf *sb);
