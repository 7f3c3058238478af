// SPDX-License-Identifier: LGPL-2.1-or-later
/* Replaces addresses in a text by names, like KFT's addr2sym. */
#include "output/symbolize.h"

#include <string.h>

#define DIGITS_MAX 16 /* of a 64-bit address */

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool kft_symbol_format(const struct kft_symbol_table *symbols, uint64_t addr,
		       struct kft_strbuf *sb)
{
	const struct kft_symbol *s = kft_symbol_lookup(symbols, addr);

	/* The end of the last function is not known, so only its start is replaced. */
	if (!s || addr > symbols->syms.data[symbols->syms.len - 1].addr)
		return false;
	/* On PowerPC, the plain name is that of the function descriptor. */
	size_t dot = s->name_len > 1 && s->name[0] == '.';

	kft_strbuf_add(sb, s->name + dot, s->name_len - dot);
	if (addr != s->addr) {
		kft_strbuf_adds(sb, "+0x");
		kft_strbuf_addx(sb, addr - s->addr, 1);
	}
	return true;
}

/* Reads the address that starts at p; returns its length in characters, or 0. */
static size_t address_at(const char *p, const char *end, uint64_t *ret)
{
	const char *start = p;
	uint64_t v = 0;
	int digit;

	if (end - p < 3 || p[0] != '0' || p[1] != 'x')
		return 0;
	for (p += 2; p < end && (digit = digit_of(*p)) >= 0; p++)
		v = v << 4 | (unsigned int)digit;
	size_t digits = p - start - 2;

	*ret = v;
	return digits && digits <= DIGITS_MAX ? digits + 2 : 0;
}

static size_t count_blanks(const char *p, const char *end)
{
	const char *start = p;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p - start;
}

/*
 * Replaces an address of n characters at p; returns the number of
 * characters used up, with blanks.
 */
static size_t replace(const struct kft_symbol_table *symbols, uint64_t addr,
		      const char *p, size_t n, const char *end, struct kft_strbuf *sb)
{
	size_t start = sb->len;
	size_t blanks = count_blanks(p + n, end);
	size_t columns = n + blanks;

	if (!kft_symbol_format(symbols, addr, sb)) {
		kft_strbuf_add(sb, p, n);
		return n;
	}
	size_t used = sb->len - start;

	/* At the end of a line no later column needs aligning. */
	if (blanks && p + columns < end)
		kft_strbuf_fill(sb, ' ', columns > used ? columns - used : 1);
	return columns;
}

void kft_symbolize(const struct kft_symbol_table *symbols, const char *text, size_t len,
		   unsigned int *done, struct kft_strbuf *sb)
{
	const char *end = text + len;
	const char *kept = text; /* text from here on is not in sb yet */
	uint64_t addr;

	for (const char *p = text; *done < KFT_SYMBOLIZE_PER_LINE;) {
		p = memchr(p, '0', end - p);
		if (!p)
			break;
		size_t n = address_at(p, end, &addr);

		if (!n) {
			p++;
			continue;
		}
		(*done)++;
		/* This number is the offset after a name. */
		if (p > text && p[-1] == '+') {
			p += n;
			continue;
		}
		kft_strbuf_add(sb, kept, p - kept);
		p += replace(symbols, addr, p, n, end, sb);
		kept = p;
	}
	kft_strbuf_add(sb, kept, end - kept);
}
