// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses names, globs and addresses of functions. */
#include "model/func_word.h"

#include <errno.h>
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char digits[] = "0123456789";

static int hex_digit(char c)
{
	static const char hex[] = "0123456789abcdef0123456789ABCDEF";
	const char *p = c ? strchr(hex, c) : NULL;

	return p ? (int)((p - hex) & 15) : -1;
}

static int parse_addr(const char *s, uint64_t *ret)
{
	uint64_t v = 0;

	if (!*s)
		return -EINVAL;
	for (; *s; s++) {
		int d = hex_digit(*s);

		if (d < 0)
			return -EINVAL;
		if (v >> 60)
			return -ERANGE;
		v = v << 4 | (unsigned int)d;
	}
	*ret = v;
	return 0;
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

int kft_func_word_parse(const char *word, enum kft_func_kind *ret_kind,
			uint64_t *ret_addr)
{
	bool glob = false;
	bool bracket = false;

	if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
		int r = parse_addr(word + 2, ret_addr);

		if (r == 0)
			*ret_kind = KFT_FUNC_ADDR;
		return r;
	}
	if (!*word || strlen(word) >= KFT_FUNC_WORD_MAX || is_one_of(*word, digits))
		return -EINVAL;
	for (const char *p = word; *p; p++) {
		if (*p == '[')
			bracket = true;
		if (is_one_of(*p, "*?[") || (bracket && is_one_of(*p, "]!^-")))
			glob = true;
		else if (!is_one_of(*p, letters) && !is_one_of(*p, digits) &&
			 !is_one_of(*p, "_.$"))
			return -EINVAL;
		if (*p == ']')
			bracket = false;
	}
	if (bracket)
		return -EINVAL;
	*ret_kind = glob ? KFT_FUNC_GLOB : KFT_FUNC_NAME;
	*ret_addr = 0;
	return 0;
}
