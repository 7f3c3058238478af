// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "base/strbuf.h"

static void numbers_are_written_without_printf(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addi(&sb, INT64_MIN);
	kft_strbuf_addc(&sb, ' ');
	kft_strbuf_addu(&sb, 7, 3);
	kft_strbuf_addc(&sb, ' ');
	kft_strbuf_addx(&sb, UINT64_MAX, 1);
	assert_string_equal(kft_strbuf_cstr(&sb),
			    "-9223372036854775808 007 ffffffffffffffff");
}

static void control_bytes_never_reach_a_terminal(void **state)
{
	static const char evil[] = "a\x1b[2J\n\x7f\xff\xc2\x9b"
				   "b\xe2\x80\xae\xc3\xa9";
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_add_escaped(&sb, evil, sizeof(evil) - 1);
	assert_string_equal(kft_strbuf_cstr(&sb),
			    "a\\x1b[2J\\n\\x7f\\xff\\xc2\\x9bb\\xe2\\x80\\xae\xc3\xa9");
}

static void json_strings_are_valid_for_any_bytes(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_add_json(&sb, "\"\\\n\xff\0z", 6);
	assert_string_equal(kft_strbuf_cstr(&sb), "\\\"\\\\\\u000a\\u00ff\\u0000z");
}

static void nothing_is_added_to_nothing(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_add(&sb, NULL, 0);
	assert_true(kft_strbuf_ok(&sb));
	assert_string_equal(kft_strbuf_cstr(&sb), "");
}

static void long_formats_grow_the_buffer(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addf(&sb, "%500d|%s", 1, "x");
	assert_int_equal(sb.len, 502);
	assert_true(kft_strbuf_ok(&sb));
	kft_strbuf_clear(&sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(numbers_are_written_without_printf),
	cmocka_unit_test(control_bytes_never_reach_a_terminal),
	cmocka_unit_test(json_strings_are_valid_for_any_bytes),
	cmocka_unit_test(nothing_is_added_to_nothing),
	cmocka_unit_test(long_formats_grow_the_buffer),
};

T_MAIN(tests)
