/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * Scanners of numbers and words for untrusted text. On success *p moves past the match.
 * False, and *p stays, for anything else and for a number that overflows (undefined with
 * sscanf()). Blanks before a number or a word are skipped.
 */
bool kft_scan_u64(const char **p, uint64_t *ret);
bool kft_scan_u32(const char **p, uint32_t *ret);
bool kft_scan_hex(const char **p, uint64_t *ret); /* with or without 0x */

/* Matches exactly this text; a blank in it matches any number of blanks. */
bool kft_scan_text(const char **p, const char *text);

/*
 * Matches a word, up to the next blank: *ret (may be NULL) points
 * to it. False at the end.
 */
bool kft_scan_word(const char **p, const char **ret, size_t *ret_len);

/* Finds a name anywhere in the text and reads the decimal number after it. */
bool kft_scan_named(const char *text, const char *name, uint64_t *ret);

/* Whether a text is one of the words of a list, with blanks, lines or brackets between them. */
bool kft_has_word(const char *list, const char *word);
