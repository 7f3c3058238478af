// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads arguments of system calls, some of which are strings without quotes. */
#include "file/kpt/reader.h"

#include <string.h>

/* KPTrace records this many arguments of a call. */
#define ARGS 4

/* KPTrace's text for a string argument that it could not read from user space. */
#define FAULT "<copy_from_user failed>"

/*
 * The first argument is a string that may contain blanks: everything
 * before the last three numbers.
 */
static bool read_first_text(const struct kft_kpt_word *words, size_t n,
			    struct kft_kpt_args *ret)
{
	if (n < ARGS)
		return false;
	const struct kft_kpt_word *end = &words[n - ARGS];

	for (size_t i = 1; i < ARGS; i++)
		if (!kft_kpt_number(words[n - ARGS + i], true, &ret->values[i]))
			return false;
	ret->text = (struct kft_kpt_word){words[0].text,
					  end->text + end->len - words[0].text};
	ret->text_arg = 0;
	return true;
}

/* prctl() has a quoted string as its second argument: 15 "name" */
static bool read_quoted(struct kft_kpt_word rest, const struct kft_kpt_word *words,
			struct kft_kpt_args *ret)
{
	const char *quote = memchr(rest.text, '"', rest.len);
	const char *end = rest.text + rest.len;

	if (!quote || end - quote < 2 || end[-1] != '"' ||
	    !kft_kpt_number(words[0], false, &ret->values[0]) ||
	    quote < words[0].text + words[0].len)
		return false;
	ret->text = (struct kft_kpt_word){quote + 1, end - quote - 2};
	ret->text_arg = 1;
	return true;
}

static bool read_numbers(const struct kft_kpt *k, const struct kft_kpt_word *words,
			 size_t n, struct kft_kpt_args *ret)
{
	if (n > ARRAY_SIZE(ret->values))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!kft_kpt_number(words[i], k->is_first_version, &ret->values[i]))
			return false;
	return true;
}

void kft_kpt_read_args(const struct kft_kpt *k, struct kft_kpt_word rest,
		       struct kft_kpt_args *ret)
{
	struct kft_kpt_word words[KFT_KPT_ARGS_MAX];
	size_t n = kft_kpt_split(rest, words, ARRAY_SIZE(words));

	*ret = (struct kft_kpt_args){.text_arg = -1};
	if (!n || read_numbers(k, words, n, ret) || read_quoted(rest, words, ret))
		return;
	memset(ret->values, 0, sizeof(ret->values));
	(void)read_first_text(words, n, ret);
	if (ret->text_arg == 0 && kft_kpt_is(ret->text, FAULT))
		*ret = (struct kft_kpt_args){.text_arg = -1};
}
