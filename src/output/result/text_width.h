/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/* The number of terminal columns of valid printable UTF-8. */
size_t kft_text_width(const char *s, size_t len);

/*
 * Returns the number of bytes of the text's first line, at most width columns wide. The line ends
 * before a blank, or inside a word that is longer than a line. It has at least one character
 * unless the text is empty.
 */
size_t kft_text_line(const char *s, size_t len, size_t width);

/* Appends text in lines of at most width columns (0: no limit), each with a newline. */
void kft_text_wrap(const char *s, size_t len, size_t width, struct kft_strbuf *sb);
