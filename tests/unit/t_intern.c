// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdio.h>

#include "base/intern.h"

static uint32_t number(struct kft_intern *in, const char *text, size_t len)
{
	uint32_t n = 4711;

	assert_int_equal(kft_intern(in, text, len, &n), 0);
	return n;
}

static void equal_strings_have_one_number(void **state)
{
	struct kft_intern in = {};

	assert_int_equal(number(&in, "one", 3), 0);
	assert_int_equal(number(&in, "two", 3), 1);
	assert_int_equal(number(&in, "one and more", 3), 0);
	assert_int_equal(number(&in, "", 0), 2);
	assert_int_equal(number(&in, "a\0b", 3), 3);
	assert_int_equal(number(&in, "a\0c", 3), 4);
	assert_int_equal(number(&in, "a", 1), 5);
	assert_string_equal(kft_intern_text(&in, 1), "two");
	assert_string_equal(kft_intern_text(&in, KFT_INTERN_NONE), "");
	assert_int_equal(in.strings.len, 6);
	kft_intern_finish(&in);
}

static void many_strings_keep_their_numbers(void **state)
{
	struct kft_intern in = {};
	char text[16];

	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 50000; i++) {
			int len = snprintf(text, sizeof(text), "f%u", i);

			if (number(&in, text, len) != i)
				fail_msg("'%s' has another number", text);
		}
	}
	assert_string_equal(kft_intern_text(&in, 49999), "f49999");
	kft_intern_finish(&in);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(equal_strings_have_one_number),
	cmocka_unit_test(many_strings_keep_their_numbers),
};

T_MAIN(tests)
