/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/* Lines of KPTrace's text: "SECS.USEC6 PID CODE ARG ..." (docs/formats/kpt.md). */
#define KFT_KPT_LINE_MAX 4096 /* bytes; a longer line is malformed */
#define KFT_KPT_ARGS_MAX 64 /* maximum of words per line */

struct kft_kpt_word {
	const char *text; /* borrowed, not NUL terminated */
	size_t len;
};

struct kft_kpt_line {
	uint64_t ts_ns;
	int32_t pid;
	struct kft_kpt_word code;
	/* The text after the code, without blanks around it. */
	struct kft_kpt_word rest;
};

/* Position in a text. Zeroed except for the text and its end, it is at the start. */
struct kft_kpt_cursor {
	const char *text; /* borrowed */
	size_t end;
	size_t pos; /* offset of the next line */
	size_t start; /* offset of the last record's line */
	uint64_t ts_ns; /* time of the last record */
	uint64_t bad; /* number of malformed lines; lines of stacks do not count */
	size_t first_bad; /* offset of the first malformed line */
	uint64_t backwards; /* number of records that were earlier than the one before */
};

/*
 * The next record; false at the end. Time does not go back: a record that is earlier than
 * the one before, or at 0 as wake-ups are, gets the time of the one before.
 */
bool kft_kpt_next(struct kft_kpt_cursor *c, struct kft_kpt_line *ret);

/* Parses a line without its newline. False when it is malformed. */
bool kft_kpt_parse(const char *text, size_t len, struct kft_kpt_line *ret);

/* Splits a text into at most max words. Returns their number. */
size_t kft_kpt_split(struct kft_kpt_word text, struct kft_kpt_word *words, size_t max);

/* Parses a whole word as a number, with an optional sign and 0x. */
bool kft_kpt_number(struct kft_kpt_word w, bool is_hex, uint64_t *ret);

/* Whether the word begins with the text and is longer than it. */
bool kft_kpt_begins(struct kft_kpt_word w, const char *text);
bool kft_kpt_is(struct kft_kpt_word w, const char *text);
