/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_SCAN_H
#define KFT_BASE_SCAN_H

#include "base/macro.h"

/*
 * Numbers and words of texts that may hold anything. *p goes on behind what was found; false,
 * and *p stays, where it is something else, or a number that is too large (which sscanf() must
 * not be given). Blanks before a number or a word are skipped.
 */
bool kft_scan_u64(const char **p, uint64_t *ret);
bool kft_scan_u32(const char **p, uint32_t *ret);
bool kft_scan_hex(const char **p, uint64_t *ret); /* with or without 0x */

/* Exactly this text; a blank in it stands for any number of blanks. */
bool kft_scan_text(const char **p, const char *text);

/* A word, up to the next blank: *ret (may be NULL) points to it. False: there is none. */
bool kft_scan_word(const char **p, const char **ret, size_t *ret_len);

/* The decimal number behind a name somewhere in a text. */
bool kft_scan_named(const char *text, const char *name, uint64_t *ret);

#endif
