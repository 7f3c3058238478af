// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "base/units.h"

static void sizes_are_powers_of_1024(void **state)
{
	uint64_t v;

	assert_int_equal(kft_parse_size("4096", &v), 0);
	assert_int_equal(v, 4096);
	assert_int_equal(kft_parse_size("1.5M", &v), 0);
	assert_int_equal(v, 1536 * 1024);
	assert_int_equal(kft_parse_size("2KiB", &v), 0);
	assert_int_equal(v, 2048);
	assert_int_equal(kft_parse_size("2x", &v), -EINVAL);
	assert_int_equal(kft_parse_size("", &v), -EINVAL);
	assert_int_equal(kft_parse_size("99999999999G", &v), -ERANGE);
}

static void durations_keep_nanoseconds(void **state)
{
	uint64_t v;

	assert_int_equal(kft_parse_duration("2.5", 1000000000, &v), 0);
	assert_int_equal(v, 2500000000);
	assert_int_equal(kft_parse_duration("500us", 1, &v), 0);
	assert_int_equal(v, 500000);
	assert_int_equal(kft_parse_duration("12345.000000001s", 1, &v), 0);
	assert_int_equal(v, UINT64_C(12345000000001));
	assert_int_equal(kft_parse_duration("1.000000001h", 1, &v), 0);
	assert_int_equal(v, UINT64_C(3600000003600));
	assert_int_equal(kft_parse_duration("18446744073.709551615s", 1, &v), 0);
	assert_true(v == UINT64_MAX);
	assert_int_equal(kft_parse_duration("18446744073.71s", 1, &v), -ERANGE);
	assert_int_equal(kft_parse_duration("-1", 1, &v), -EINVAL);
	assert_int_equal(kft_parse_duration("1.2.3", 1, &v), -EINVAL);
}

static void percentages_are_parts_of_a_million(void **state)
{
	uint64_t v;

	assert_int_equal(kft_parse_percent("2%", &v), 0);
	assert_int_equal(v, 20000);
	assert_int_equal(kft_parse_percent("0.01%", &v), 0);
	assert_int_equal(v, 100);
	assert_int_equal(kft_parse_percent("2", &v), -EINVAL);
	assert_int_equal(kft_parse_percent("%", &v), -EINVAL);
	assert_int_equal(kft_parse_percent("2%%", &v), -EINVAL);
	assert_int_equal(kft_parse_percent("-1%", &v), -EINVAL);
}

static void counts_have_separators(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_add_count(&sb, 1002003);
	assert_string_equal(kft_strbuf_cstr(&sb), "1,002,003");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sizes_are_powers_of_1024),
	cmocka_unit_test(durations_keep_nanoseconds),
	cmocka_unit_test(percentages_are_parts_of_a_million),
	cmocka_unit_test(counts_have_separators),
};

T_MAIN(tests)
