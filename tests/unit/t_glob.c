// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "base/glob.h"
#include "base/macro.h"

static void names_of_events_are_matched(void **state)
{
	assert_true(kft_glob("sched_*", "sched_switch"));
	assert_true(kft_glob("*_enter_*at", "sys_enter_openat"));
	assert_false(kft_glob("sched_*", "sched"));
	assert_true(kft_glob("irq?[0-9]", "irq_7"));
	assert_true(kft_glob("[!a-c]*", "do_one"));
	assert_false(kft_glob("[!a-c]*", "bio"));
	assert_true(kft_glob("kworker[[:digit:]/]*", "kworker/0:1"));
	assert_true(kft_glob("\\*", "*"));
	assert_false(kft_glob("\\*", "x"));
	assert_true(kft_glob("a[b", "a[b"));
	assert_true(kft_glob("", ""));
	assert_false(kft_glob("", "x"));
}

static void fill(char *text, size_t size, const char *letters)
{
	size_t len = rand() % size;

	for (size_t i = 0; i < len; i++)
		text[i] = letters[rand() % strlen(letters)];
	text[len] = '\0';
}

/* Elements of patterns that the C libraries agree on. */
static void make_pattern(char *text)
{
	static const char *const elements[] = {"a",
					       "b",
					       "c",
					       "*",
					       "*",
					       "?",
					       "[ab]",
					       "[!a]",
					       "[a-b]",
					       "[]a]",
					       "[!]-b]",
					       "[[:alpha:]]",
					       "[b[:punct:]]",
					       "\\*",
					       "\\a",
					       "[^b]",
					       "[-a]"};

	text[0] = '\0';
	for (int n = rand() % 6; n > 0; n--)
		strcat(text, elements[rand() % ARRAY_SIZE(elements)]);
}

static void random_patterns_match_as_fnmatch_does(void **state)
{
	size_t matches = 0;

	srand(1);
	for (size_t i = 0; i < 100000; i++) {
		char pattern[96], text[8];
		make_pattern(pattern);
		fill(text, sizeof(text), "abc*]-\\");
		bool expected = fnmatch(pattern, text, 0) == 0;
		if (kft_glob(pattern, text) != expected)
			fail_msg("'%s' and '%s': not %d", pattern, text, expected);
		bool unescaped = fnmatch(pattern, text, FNM_NOESCAPE) == 0;
		if (kft_glob_noescape(pattern, text) != unescaped)
			fail_msg("'%s' and '%s', no escapes: not %d", pattern, text,
				 unescaped);
		matches += expected;
	}
	assert_in_range(matches, 5000, 95000);
}

/* Backtracking to each star would take longer than the age of the universe. */
static void many_stars_are_quick(void **state)
{
	char pattern[201], text[4001];

	for (size_t i = 0; i < 200; i += 2)
		memcpy(pattern + i, "*a", 2);
	strcpy(pattern + 198, "b");
	memset(text, 'a', 4000);
	text[4000] = '\0';
	assert_false(kft_glob(pattern, text));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(names_of_events_are_matched),
	cmocka_unit_test(random_patterns_match_as_fnmatch_does),
	cmocka_unit_test(many_stars_are_quick),
};

T_MAIN(tests)
