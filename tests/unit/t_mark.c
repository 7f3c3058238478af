// SPDX-License-Identifier: GPL-2.0-only
/* Tests of parsing the text of markers (docs/formats/marks.md). */
#include "t.h"

#include <stdio.h>
#include <string.h>

#include "base/macro.h"
#include "model/mark.h"

/* "TYPE PID NAME COOKIE" */
static void assert_mark(const char *text, const char *expected)
{
	struct kft_mark m = kft_mark_parse(text, strlen(text));
	char said[128];

	(void)snprintf(said, sizeof(said), "%c '%.*s' '%.*s' '%.*s'", m.type,
		       (int)m.pid.len, m.pid.data, (int)m.name.len, m.name.data,
		       (int)m.cookie.len, m.cookie.data);
	assert_string_equal(said, expected);
}

static void marks_of_each_type(void **state)
{
	assert_mark("I|12|frame\n", "I '12' 'frame' ''");
	assert_mark("C|12|queue|-5", "C '12' 'queue' '-5'");
	assert_mark("B|12|decode\n", "B '12' 'decode' ''");
	assert_mark("E|12", "E '12' '' ''");
	assert_mark("E", "E '' '' ''");
	assert_mark("E|", "E '' '' ''");
	assert_mark("S|12|load|a b", "S '12' 'load' 'a b'");
	assert_mark("F|12|load|a b", "F '12' 'load' 'a b'");
}

static void what_does_not_follow_the_form_is_a_text(void **state)
{
	static const char *const texts[] = {
		"",	 "hello", "B|x",    "B|12", "B||name", "C|1|n|many", "C|1|n|-",
		"C|1|n", "S|1|n", "BB|1|n", "E|x",  "|",       "I|1|",	     "B|-1|n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct kft_mark m = kft_mark_parse(texts[i], strlen(texts[i]));

		assert_int_equal(m.type, 'I');
		assert_int_equal(m.name.len, strlen(texts[i]));
		assert_ptr_equal(m.name.data, texts[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_of_each_type),
		cmocka_unit_test(what_does_not_follow_the_form_is_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
