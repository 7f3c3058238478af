// SPDX-License-Identifier: LGPL-2.1-or-later
/* Distinguishes printable UTF-8 characters from all other bytes. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>

static bool is_hidden(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
	       c == 0xfeff;
}

size_t kft_utf8_printable(const char *s, size_t len)
{
	static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *p = (const unsigned char *)s;

	if (!len)
		return 0;
	if (p[0] < 0x80)
		return is_hidden(p[0]) ? 0 : 1;
	size_t n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc0 ? 2 : 0;
	if (!n || n > len || p[0] > 0xf4)
		return 0;
	uint32_t c = p[0] & (0x7f >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < lowest[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	return is_hidden(c) ? 0 : n;
}
