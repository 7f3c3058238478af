// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "output/value.h"

/*
 * A record with a signed char, a pointer, a string, an array of s16, a data_loc array
 * of u8 (offset 26, length 3), a data_loc string past the end and a struct.
 */
static const uint8_t record[] = {0xff, 0,    0, 0,    0,  0, 0, 0x80, 'h',  'i', 27, 0,
				 0xfe, 0xff, 7, 0,    32, 0, 3, 0,    0xf0, 0,	 9,  0,
				 1,    2,    3, 0xff, 0,  0, 0, 0,    5,    6,	 7};

static const struct kft_field fields[] = {
	{"small", "s8", 0, 1, 1, KFT_FIELD_INT, 0, true},
	{"ptr", "void *", 0, 8, 8, KFT_FIELD_INT, 0, false, false, true},
	{"name", "char[4]", 8, 4, 1, KFT_FIELD_STRING},
	{"pair", "s16[2]", 12, 4, 2, KFT_FIELD_ARRAY, 0, true},
	{"bytes", "u8[]", 16, 4, 1, KFT_FIELD_ARRAY, KFT_FIELD_DATA_LOC},
	{"far", "char[]", 20, 4, 1, KFT_FIELD_STRING, KFT_FIELD_DATA_LOC},
	{"blob", "struct x", 24, 3, 3, KFT_FIELD_OTHER},
	{"beyond", "u64", 32, 8, 8, KFT_FIELD_INT},
	{"huge", "u64", 0, 8, 8, KFT_FIELD_INT},
};

static const struct kft_event ev = {.data = record, .size = sizeof(record)};

static void text_of_each_kind(void **state)
{
	static const char *const want[] = {
		"-1", "0x80000000000000ff", "hi\\x1b", "-2,7", "5,6,7", "-", "010203",
		"-",  "9223372036854776063"};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

		kft_value_add_text(&sb, &ev, &fields[i], KFT_HOST_BIG_ENDIAN);
		assert_string_equal(kft_strbuf_cstr(&sb), want[i]);
	}
}

static void json_of_each_kind(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_json j = {.sb = &sb};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		kft_value_add_json(&j, &ev, &fields[i], KFT_HOST_BIG_ENDIAN);
	assert_string_equal(kft_strbuf_cstr(&sb),
			    "-1,\"0x80000000000000ff\",\"hi\\u001b\",[-2,7],[5,6,7],null,"
			    "\"010203\",null,\"9223372036854776063\"");
}

static void other_byte_order(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_value_add_text(&sb, &ev, &fields[3], !KFT_HOST_BIG_ENDIAN);
	assert_string_equal(kft_strbuf_cstr(&sb), "-257,1792");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(text_of_each_kind),
	cmocka_unit_test(json_of_each_kind),
	cmocka_unit_test(other_byte_order),
};

T_MAIN(tests)
