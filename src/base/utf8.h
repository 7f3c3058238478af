/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

/*
 * Length in bytes (1 to 4) of the printable UTF-8 character at s. 0 for invalid UTF-8
 * (RFC 3629), control characters (C0, DEL, C1), and characters that change the direction
 * or invisible layout of the text around them (U+200B-200F, U+2028-202E, U+2060-206F,
 * U+FEFF): a hostile name could use these to deceive the reader of a terminal.
 */
size_t kft_utf8_printable(const char *s, size_t len);
