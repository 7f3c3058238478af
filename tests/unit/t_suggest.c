// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "base/suggest.h"

static const char *suggest(const char *word, const char *const *candidates, size_t n)
{
	static char text[256];
	struct kft_strbuf sb = {};
	struct kft_suggest s;

	kft_suggest_init(&s, word);
	for (size_t i = 0; i < n; i++)
		kft_suggest_add(&s, candidates[i], strlen(candidates[i]));
	bool any = kft_suggest_text(&s, &sb);
	assert_int_equal(any, sb.len > 0);
	assert_true(sb.len < sizeof(text));
	strcpy(text, kft_strbuf_cstr(&sb));
	kft_strbuf_finish(&sb);
	return text;
}

#define SUGGEST(word, ...)                                \
	suggest(word, (const char *const[]){__VA_ARGS__}, \
		ARRAY_SIZE(((const char *const[]){__VA_ARGS__})))

static void the_nearest_comes_first(void **state)
{
	assert_string_equal(SUGGEST("repotr", "record", "reprot", "report", "stats"),
			    "did you mean 'report'?");
	assert_string_equal(SUGGEST("stat", "record", "stats"), "did you mean 'stats'?");
}

static void swapped_neighbours_are_one_mistake(void **state)
{
	assert_string_equal(SUGGEST("tsats", "stats"), "did you mean 'stats'?");
	assert_string_equal(SUGGEST("ab", "ba", "cd"), "did you mean 'ba'?");
}

static void a_part_of_a_name_finds_it(void **state)
{
	assert_string_equal(SUGGEST("switch", "sched_wakeup", "sched_switch"),
			    "did you mean 'sched_switch'?");
}

static void nothing_near_says_nothing(void **state)
{
	assert_string_equal(SUGGEST("zzzz", "record", "report"), "");
	assert_string_equal(SUGGEST("", "record"), "");
	assert_string_equal(SUGGEST("re", "record"), "");
}

static void at_most_three_and_each_once(void **state)
{
	assert_string_equal(SUGGEST("aaaa", "aaab", "aaab", "aaac", "aaad", "aaae"),
			    "did you mean 'aaab', 'aaac' or 'aaad'?");
	assert_string_equal(SUGGEST("aaaa", "aaab", "aaac", "aaad", "aaaa"),
			    "did you mean 'aaaa'?");
}

static void long_words_are_left_alone(void **state)
{
	char word[200];

	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_string_equal(SUGGEST(word, word), "");
	assert_string_equal(SUGGEST("xxxx", word), "");
}

static void candidates_cannot_drive_the_terminal(void **state)
{
	assert_string_equal(SUGGEST("abcdefgh", "abcdefg\033"),
			    "did you mean 'abcdefg\\x1b'?");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_nearest_comes_first),
	cmocka_unit_test(swapped_neighbours_are_one_mistake),
	cmocka_unit_test(a_part_of_a_name_finds_it),
	cmocka_unit_test(nothing_near_says_nothing),
	cmocka_unit_test(at_most_three_and_each_once),
	cmocka_unit_test(long_words_are_left_alone),
	cmocka_unit_test(candidates_cannot_drive_the_terminal),
};

T_MAIN(tests)
