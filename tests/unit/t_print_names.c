// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/printfmt/names.h"

#define TEXT(s)                                   \
	{                                         \
		.data = (s), .len = sizeof(s) - 1 \
	}

static struct kft_arena arena;
static struct kft_strbuf out;

static int finish(void **state)
{
	kft_arena_finish(&arena);
	kft_strbuf_finish(&out);
	return 0;
}

static const char *symbol(const struct kft_name_table *t, uint64_t v)
{
	kft_strbuf_clear(&out);
	kft_name_table_add_symbol(t, v, &out);
	return kft_strbuf_cstr(&out);
}

static const char *flags(const struct kft_name_table *t, uint64_t v)
{
	kft_strbuf_clear(&out);
	kft_name_table_add_flags(t, v, &out);
	return kft_strbuf_cstr(&out);
}

static void the_first_of_a_value_wins(void **state)
{
	struct kft_name names[] = {
		{5, TEXT("five")}, {UINT64_MAX, TEXT("minus")}, {0, TEXT("zero")},
		{5, TEXT("cinq")}, {70000, TEXT("big")},	{7, TEXT("")},
	};
	const struct kft_name_table *t = kft_name_table_symbols(&arena, names,
								ARRAY_SIZE(names));

	assert_non_null(t);
	assert_string_equal(symbol(t, 0), "zero");
	assert_string_equal(symbol(t, 5), "five");
	assert_string_equal(symbol(t, 70000), "big");
	assert_string_equal(symbol(t, UINT64_MAX), "minus");
	assert_string_equal(symbol(t, 6), "0x6");
	assert_string_equal(symbol(t, 7), "0x7");
	assert_string_equal(symbol(t, 500), "0x1f4");
	t = kft_name_table_symbols(&arena, names, 0);
	assert_string_equal(symbol(t, 1), "0x1");
}

static void flags_are_taken_in_order_and_once(void **state)
{
	static const struct kft_name names[] = {{3, TEXT("both")},
						{1, TEXT("one")},
						{2, TEXT("two")},
						{1ull << 63, TEXT("top")}};
	struct kft_text bar = TEXT("|");
	struct kft_text none = {};
	const struct kft_name_table *t = kft_name_table_flags(&arena, names,
							      ARRAY_SIZE(names), bar);

	assert_string_equal(flags(t, 3), "both");
	assert_string_equal(flags(t, 2), "two");
	assert_string_equal(flags(t, 1ull << 63 | 1), "one|top");
	assert_string_equal(flags(t, 0x13), "both|0x10");
	assert_string_equal(flags(t, 0x10), "0x10");
	assert_string_equal(flags(t, 0), "");
	t = kft_name_table_flags(&arena, names, ARRAY_SIZE(names), none);
	assert_string_equal(flags(t, 0x1000000000000001ull), "one0x1000000000000000");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(the_first_of_a_value_wins, finish),
	cmocka_unit_test_teardown(flags_are_taken_in_order_and_once, finish),
};

T_MAIN(tests)
