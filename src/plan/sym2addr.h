/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * Replaces names of functions in a configuration by addresses, like KFT's sym2addr: each
 * word that is a symbol of the map (/proc/kallsyms, System.map) and not a keyword becomes
 * 0x and the map's digits. Unlike in KFT's, lines, blanks and comments are kept, and
 * quoted words are looked up too.
 */
struct kft_sym2addr_counts {
	size_t replaced; /* number of words */
	/* Words with several symbols; the first one in the map was used. */
	size_t ambiguous;
	const char *an_ambiguous; /* one of these words, borrowed from the text */
	size_t an_ambiguous_len;
	bool hidden; /* all addresses of the map are 0 (kernel.kptr_restrict) */
};

/* Appends to sb. -ENOMEM. */
int kft_config_sym2addr(const char *text, size_t len, const char *map, size_t map_len,
			struct kft_strbuf *sb,
			struct kft_sym2addr_counts *ret) __must_check;
