/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "base/strbuf.h"
#include "tracefs/control/catalog.h"

/* A word that a shell completes; candidates for it are added to sb, one a line. */
struct cli_word {
	struct kft_strbuf *sb; /* borrowed, as the other two */
	const char *lead; /* the beginning that all candidates share: "--style=" */
	const char *text; /* the text after lead that was typed so far */
};

/* Adds the candidate if it begins as the word does. */
void cli_word_offer(const struct cli_word *w, const char *candidate);

/* Lists of the running kernel: no candidates when it does not show them. */
void cli_word_offer_catalog(const struct cli_word *w, enum kft_catalog_kind kind);

/* A list of events with commas: of the trace at path, or of the running kernel (NULL). */
void cli_word_offer_events(const struct cli_word *w, const char *path);

/* Sets of kft and of the user; the last one of those that share a name is used. */
void cli_word_offer_sets(const struct cli_word *w);

/* A list of kinds for kft stats, with commas; one kind for kft why. */
void cli_word_offer_kinds(const struct cli_word *w);
void cli_word_offer_why_kinds(const struct cli_word *w);

/* A list of questions for kft record --for, with commas. */
void cli_word_offer_questions(const struct cli_word *w);
