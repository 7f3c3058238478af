/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/symbol.h"

/*
 * Parses one line without its newline: 1 for a symbol, 0 for one to leave out
 * (see below), -1 for a bad line.
 */
int kft_kallsyms_parse_line(const char *p, const char *end,
			    struct kft_symbol *s) __must_check;

#define KFT_KALLSYMS_UNSEEN "kft:unseen:"
/* In the place of a module's name: announcements of removed modules were dropped. */
#define KFT_MODULES_DROPPED "?"

/*
 * Parses the text of /proc/kallsyms or System.map, lines of "address type
 * name[\t[module]]", into an empty table. The table is sorted and has one symbol per
 * address: the first in the text, which is the name that the kernel itself uses. Left
 * out are absolute symbols (type a: per-CPU offsets on x86) and names that start with
 * '$' (mapping symbols of ARM).
 *
 * Lines of kft's own, which other programs take for absolute symbols, have the symbols of modules
 * that lay at the place of others: "FIRST a kft:load:LAST:SINCE:UNTIL\t[MODULE]" begins a load
 * (LAST in hexadecimal, times in decimal), "ADDRESS a kft:name:NAME\t[MODULE]" is a symbol of it.
 * "0 a kft:unseen:SINCE:UNTIL\t[MODULE]" names a module that came and went between these times;
 * kft_trace_symbols() makes a note of it.
 *
 * Names are borrowed from the text. Bad lines are skipped and counted in *ret_bad. A text in
 * which every address is 0 (kptr_restrict) gives an empty table. -ENOMEM.
 */
int kft_kallsyms_parse(const char *text, size_t len, struct kft_symbol_table *t,
		       size_t *ret_bad) __must_check;
