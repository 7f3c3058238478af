/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_UTF8_H
#define KFT_BASE_UTF8_H

#include <stddef.h>

/*
 * Length in bytes (1 to 4) of the printable UTF-8 character at s, or 0 when the bytes
 * are no valid UTF-8 (RFC 3629), a control character (C0, DEL, C1), or one that changes
 * the direction or the invisible layout of the text around it (U+200B-200F, U+2028-202E,
 * U+2060-206F, U+FEFF): what a hostile name would use to fool a terminal's reader.
 */
size_t kft_utf8_printable(const char *s, size_t len);

#endif
