// SPDX-License-Identifier: LGPL-2.1-or-later
/* How much room text takes on a terminal, and where it is wrapped. */
#include "output/result/text_width.h"

#include <string.h>

struct code_range {
	uint32_t first;
	uint32_t last;
};

/* Unicode 15 EastAsianWidth.txt, W and F, in whole blocks: names in tasks, no prose. */
static const struct code_range wide[] = {
	{0x1100, 0x115f},   {0x2e80, 0x303e},	{0x3041, 0xa4cf},   {0xa960, 0xa97f},
	{0xac00, 0xd7a3},   {0xf900, 0xfaff},	{0xfe30, 0xfe6f},   {0xff00, 0xff60},
	{0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
	{0x20000, 0x3fffd},
};

/* Combining marks and variation selectors. */
static const struct code_range zero[] = {
	{0x300, 0x36f},	  {0x483, 0x489},   {0x591, 0x5bd},   {0x1ab0, 0x1aff},
	{0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

static bool in_ranges(uint32_t c, const struct code_range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c >= r[i].first && c <= r[i].last)
			return true;
	return false;
}

static size_t code_width(uint32_t c)
{
	if (c < 0x300)
		return 1;
	if (in_ranges(c, zero, ARRAY_SIZE(zero)))
		return 0;
	return in_ranges(c, wide, ARRAY_SIZE(wide)) ? 2 : 1;
}

/* The code point at *i, which moves behind it. s is valid UTF-8. */
static uint32_t next_code(const char *s, size_t len, size_t *i)
{
	unsigned char lead = s[*i];
	size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
	uint32_t c = n == 1 ? lead : lead & (0x7f >> n);

	for (size_t k = 1; k < n && *i + k < len; k++)
		c = c << 6 | (s[*i + k] & 0x3f);
	*i = KFT_MIN(*i + n, len);
	return c;
}

size_t kft_text_width(const char *s, size_t len)
{
	size_t width = 0;

	for (size_t i = 0; i < len;)
		width += code_width(next_code(s, len, &i));
	return width;
}

size_t kft_text_line(const char *s, size_t len, size_t width)
{
	size_t blank = 0;

	for (size_t start = 0, i = 0; i < len; start = i) {
		if (s[i] == ' ')
			blank = i;
		size_t w = code_width(next_code(s, len, &i));
		if (w > width)
			return blank ? blank : start ? start : i;
		width -= w;
	}
	return len;
}

void kft_text_wrap(const char *s, size_t len, size_t width, struct kft_strbuf *sb)
{
	while (len) {
		const char *newline = memchr(s, '\n', len);
		size_t line = newline ? (size_t)(newline - s) : len;

		if (width)
			line = kft_text_line(s, line, width);
		kft_strbuf_add(sb, s, line);
		kft_strbuf_addc(sb, '\n');
		line += line < len && (s[line] == ' ' || s[line] == '\n');
		s += line;
		len -= line;
	}
}
