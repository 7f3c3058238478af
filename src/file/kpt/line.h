/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_KPT_LINE_H
#define KFT_FILE_KPT_LINE_H

#include "base/macro.h"

/* Lines of KPTrace's text: "SECS.USEC6 PID CODE ARG ..." (docs/formats/kpt.md). */
#define KFT_KPT_LINE_MAX 4096 /* bytes; what is longer is no record */
#define KFT_KPT_ARGS_MAX 64 /* words that are looked at */

struct kft_kpt_word {
	const char *text; /* borrowed, not NUL terminated */
	size_t len;
};

struct kft_kpt_line {
	uint64_t ts_ns;
	int32_t pid;
	struct kft_kpt_word code;
	struct kft_kpt_word rest; /* what is behind the code, without blanks around it */
};

/* Where a text is read. Zeroed but for the text, it is at its start. */
struct kft_kpt_cursor {
	const char *text; /* borrowed */
	size_t end;
	size_t pos; /* of the next line */
	size_t start; /* of the line that was read last */
	uint64_t ts_ns; /* of the record that was read last */
	uint64_t bad; /* lines that are no record, and no part of one */
	size_t first_bad; /* where the first of them is */
	uint64_t backwards; /* records that were earlier than the one before */
};

/*
 * The next record; false at the end. Time does not go back: a record that is earlier than the
 * one before, or at 0 as wake-ups are, gets its time.
 */
bool kft_kpt_next(struct kft_kpt_cursor *c, struct kft_kpt_line *ret);

/* A record of a line without its end. */
bool kft_kpt_parse(const char *text, size_t len, struct kft_kpt_line *ret);

/* The words of a text, at most max. */
size_t kft_kpt_split(struct kft_kpt_word text, struct kft_kpt_word *words, size_t max);

/* A whole word as a number: with a sign, with or without 0x. */
bool kft_kpt_number(struct kft_kpt_word w, bool is_hex, uint64_t *ret);

/* It goes on behind what it begins with. */
bool kft_kpt_begins(struct kft_kpt_word w, const char *text);
bool kft_kpt_is(struct kft_kpt_word w, const char *text);

#endif
