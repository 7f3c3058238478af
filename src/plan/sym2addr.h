/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_SYM2ADDR_H
#define KFT_PLAN_SYM2ADDR_H

#include "base/strbuf.h"

/*
 * Names of functions in a configuration become addresses, as KFT's sym2addr did it: each
 * word that is no keyword and that the map (/proc/kallsyms, System.map) has as a symbol is
 * replaced by 0x and the digits of the map. Unlike there, lines, blanks and comments stay,
 * and quoted words are looked up too.
 */
struct kft_sym2addr_counts {
	size_t replaced; /* words */
	/* Words that several symbols have; the first of the map was taken. */
	size_t ambiguous;
	const char *an_ambiguous; /* one of these, borrowed from the text */
	size_t an_ambiguous_len;
	bool hidden; /* all addresses of the map are 0 (kernel.kptr_restrict) */
};

/* Appends to sb. -ENOMEM. */
int kft_config_sym2addr(const char *text, size_t len, const char *map, size_t map_len,
			struct kft_strbuf *sb,
			struct kft_sym2addr_counts *ret) __must_check;

#endif
