// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "output/json.h"

static void commas_stand_between_values(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_json j = {.sb = &sb};

	kft_json_begin_object(&j);
	kft_json_key(&j, "a");
	kft_json_begin_array(&j);
	kft_json_u64(&j, 1);
	kft_json_bool(&j, true);
	kft_json_begin_object(&j);
	kft_json_end_object(&j);
	kft_json_null(&j);
	kft_json_end_array(&j);
	kft_json_key(&j, "b");
	kft_json_begin_array(&j);
	kft_json_end_array(&j);
	kft_json_key(&j, "c");
	kft_json_str(&j, "x");
	kft_json_end_object(&j);
	assert_string_equal(kft_strbuf_cstr(&sb),
			    "{\"a\":[1,true,{},null],\"b\":[],\"c\":\"x\"}");
}

static void no_integer_loses_digits(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_json j = {.sb = &sb};

	kft_json_begin_array(&j);
	kft_json_u64(&j, 9007199254740991);
	kft_json_u64(&j, 9007199254740992);
	kft_json_i64(&j, -9007199254740991);
	kft_json_i64(&j, INT64_MIN);
	kft_json_exact(&j, UINT64_MAX);
	kft_json_hex(&j, UINT64_MAX);
	kft_json_hex(&j, 0);
	kft_json_end_array(&j);
	assert_string_equal(kft_strbuf_cstr(&sb),
			    "[9007199254740991,\"9007199254740992\",-9007199254740991,"
			    "\"-9223372036854775808\",18446744073709551615,"
			    "\"0xffffffffffffffff\",\"0x0\"]");
}

static void decimals_are_exact(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_json j = {.sb = &sb};

	kft_json_begin_array(&j);
	kft_json_decimal(&j, 1234, 3);
	kft_json_decimal(&j, 5, 2);
	kft_json_decimal(&j, 7, 0);
	kft_json_end_array(&j);
	assert_string_equal(kft_strbuf_cstr(&sb), "[1.234,0.05,7]");
}

static void names_from_a_trace_are_escaped(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_json j = {.sb = &sb};

	kft_json_begin_object(&j);
	kft_json_key_escaped(&j, "a\"b", 3);
	kft_json_strn(&j, "\x1b\xff", 2);
	kft_json_key_escaped(&j, "c", 1);
	kft_json_i64(&j, -1);
	kft_json_end_object(&j);
	assert_string_equal(kft_strbuf_cstr(&sb),
			    "{\"a\\\"b\":\"\\u001b\\u00ff\",\"c\":-1}");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(commas_stand_between_values),
	cmocka_unit_test(no_integer_loses_digits),
	cmocka_unit_test(decimals_are_exact),
	cmocka_unit_test(names_from_a_trace_are_escaped),
};

T_MAIN(tests)
