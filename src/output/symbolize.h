/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_SYMBOLIZE_H
#define KFT_OUTPUT_SYMBOLIZE_H

#include "base/strbuf.h"
#include "model/symbol.h"

/*
 * Addresses in a text become names of functions, as KFT's addr2sym did it.
 *
 * In a KFT log the first two addresses of a line are the function and where it was called;
 * what follows are arguments, so no more than these two are replaced.
 */
#define KFT_SYMBOLIZE_PER_LINE 2

/*
 * Appends a line (no newline in it) with its addresses, 0x and lower-case digits,
 * replaced by NAME or NAME+0xOFFSET. What is outside of the symbols stays. Blanks behind an
 * address give way or grow, so that columns stay where they were. *done counts the
 * addresses of this line and is 0 at its start: a line can come in pieces.
 */
void kft_symbolize(const struct kft_symbol_table *symbols, const char *text, size_t len,
		   unsigned int *done, struct kft_strbuf *sb);

/* NAME, NAME+0xOFFSET; false, nothing appended, when addr is outside of all symbols. */
bool kft_symbol_format(const struct kft_symbol_table *symbols, uint64_t addr,
		       struct kft_strbuf *sb);

#endif
