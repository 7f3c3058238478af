// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdlib.h>
#include <time.h>

#include "base/local_time.h"

static void zone(const char *tz)
{
	assert_int_equal(setenv("TZ", tz, 1), 0);
	tzset();
}

static void the_time_of_day_is_that_of_the_zone(void **state)
{
	char text[KFT_LOCAL_TIME_BYTES];

	zone("UTC0");
	assert_true(kft_local_time_text(0, text));
	assert_string_equal(text, "1970-01-01 00:00:00");
	zone("CET-1CEST,M3.5.0,M10.5.0/3");
	assert_true(kft_local_time_text(1795421109, text));
	assert_string_equal(text, "2026-11-23 09:05:09");
	assert_true(kft_local_time_text(1782000000, text));
	assert_string_equal(text, "2026-06-21 02:00:00");
}

static void it_is_what_strftime_writes(void **state)
{
	char text[KFT_LOCAL_TIME_BYTES];
	char other[64];
	struct tm tm;

	zone("EST5EDT,M3.2.0,M11.1.0");
	for (time_t t = -62135510400; t < 253402300000; t += 86399 * 397) {
		assert_true(kft_local_time_text(t, text));
		assert_non_null(localtime_r(&t, &tm));
		assert_int_not_equal(
			strftime(other, sizeof(other), "%Y-%m-%d %H:%M:%S", &tm), 0);
		/* glibc writes years before 1000 without zeros. */
		if (t > -30610224000)
			assert_string_equal(text, other);
	}
}

static void years_beyond_four_digits_are_no_text(void **state)
{
	char text[KFT_LOCAL_TIME_BYTES];

	zone("UTC0");
	assert_true(kft_local_time_text(253402300799, text));
	assert_string_equal(text, "9999-12-31 23:59:59");
	assert_false(kft_local_time_text(253402300800, text));
	assert_string_equal(text, "");
	assert_false(kft_local_time_text(INT64_MAX, text));
	assert_false(kft_local_time_text(-62198755200, text));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_time_of_day_is_that_of_the_zone),
	cmocka_unit_test(it_is_what_strftime_writes),
	cmocka_unit_test(years_beyond_four_digits_are_no_text),
};

T_MAIN(tests)
