/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/symbol.h"

/*
 * Replaces addresses in a text by names of functions, like KFT's addr2sym.
 *
 * In a KFT log the first two addresses of a line are the function and its caller; later
 * ones are arguments, so only these two are replaced.
 */
#define KFT_SYMBOLIZE_PER_LINE 2

/*
 * Appends a line (without newline) in which addresses, 0x and lower-case digits, are
 * replaced by NAME or NAME+0xOFFSET. Addresses outside of the symbols stay. Blanks after
 * an address are added or removed to keep the columns aligned. *done counts the addresses
 * of the line; set it to 0 at the start of each line, which may come in pieces.
 */
void kft_symbolize(const struct kft_symbol_table *symbols, const char *text, size_t len,
		   unsigned int *done, struct kft_strbuf *sb);

/*
 * Appends NAME or NAME+0xOFFSET; false, and nothing appended, when addr
 * is outside of all symbols.
 */
bool kft_symbol_format(const struct kft_symbol_table *symbols, uint64_t addr,
		       struct kft_strbuf *sb);
