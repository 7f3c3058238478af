/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_TEXT_WIDTH_H
#define KFT_OUTPUT_TEXT_WIDTH_H

#include "base/strbuf.h"

/* Columns that valid printable UTF-8 takes on a terminal. */
size_t kft_text_width(const char *s, size_t len);

/*
 * Bytes of the text's first line in so many columns: up to a blank, which is not counted, or cut
 * within a word that is longer than a line. At least one character of text that is not empty.
 */
size_t kft_text_line(const char *s, size_t len, size_t width);

/* Appends text in lines of at most so many columns (0: any number), each with a newline. */
void kft_text_wrap(const char *s, size_t len, size_t width, struct kft_strbuf *sb);

#endif
