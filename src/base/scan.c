// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds numbers and words in texts. */
#include "base/scan.h"

#include <ctype.h>
#include <string.h>

static const char *skip_blanks(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* The value of a hexadecimal digit; 16 for any other character. */
static unsigned int digit_of(char c)
{
	if (isdigit((unsigned char)c))
		return (unsigned int)(c - '0');
	return isxdigit((unsigned char)c) ? (unsigned int)((c | 0x20) - 'a') + 10 : 16;
}

static bool scan(const char **p, unsigned int base, uint64_t *ret)
{
	const char *digits = skip_blanks(*p);
	uint64_t n = 0;

	if (base == 16 && digits[0] == '0' && (digits[1] | 0x20) == 'x' &&
	    digit_of(digits[2]) < base)
		digits += 2;
	const char *end = digits;

	for (unsigned int digit; (digit = digit_of(*end)) < base; end++)
		if (kft_mul(n, (uint64_t)base, &n) || kft_add(n, (uint64_t)digit, &n))
			return false;
	if (end == digits)
		return false;
	*p = end;
	*ret = n;
	return true;
}

bool kft_scan_u64(const char **p, uint64_t *ret)
{
	return scan(p, 10, ret);
}

bool kft_scan_hex(const char **p, uint64_t *ret)
{
	return scan(p, 16, ret);
}

bool kft_scan_u32(const char **p, uint32_t *ret)
{
	const char *at = *p;
	uint64_t n;

	if (!scan(&at, 10, &n) || n > UINT32_MAX)
		return false;
	*p = at;
	*ret = (uint32_t)n;
	return true;
}

bool kft_scan_text(const char **p, const char *text)
{
	const char *at = *p;

	for (; *text; text++) {
		if (*text == ' ')
			at = skip_blanks(at);
		else if (*at++ != *text)
			return false;
	}
	*p = at;
	return true;
}

bool kft_scan_word(const char **p, const char **ret, size_t *ret_len)
{
	const char *word = skip_blanks(*p);
	const char *end = word;

	while (*end && !isspace((unsigned char)*end))
		end++;
	if (end == word)
		return false;
	if (ret)
		*ret = word;
	if (ret_len)
		*ret_len = (size_t)(end - word);
	*p = end;
	return true;
}

bool kft_scan_named(const char *text, const char *name, uint64_t *ret)
{
	const char *p = strstr(text, name);

	if (!p)
		return false;
	p += strlen(name);
	return kft_scan_u64(&p, ret);
}

bool kft_has_word(const char *list, const char *word)
{
	static const char between[] = " \t\n[]";
	size_t len = strlen(word);

	for (const char *p = list; *p;) {
		p += strspn(p, between);
		size_t n = strcspn(p, between);

		if (n && n == len && strncmp(p, word, n) == 0)
			return true;
		p += n;
	}
	return false;
}
