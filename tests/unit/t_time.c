// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "output/time.h"

static const char *stamp(enum kft_clock_unit unit, uint64_t ts)
{
	static char text[64];
	struct kft_strbuf sb = {};

	kft_strbuf_add_ts(&sb, unit, ts);
	assert_true(sb.len < sizeof(text));
	strcpy(text, kft_strbuf_cstr(&sb));
	kft_strbuf_finish(&sb);
	return text;
}

static void times_are_rounded_to_microseconds(void **state)
{
	assert_string_equal(stamp(KFT_CLOCK_NS, 0), "    0.000000");
	assert_string_equal(stamp(KFT_CLOCK_NS, 499), "    0.000000");
	assert_string_equal(stamp(KFT_CLOCK_NS, 500), "    0.000001");
	assert_string_equal(stamp(KFT_CLOCK_NS, 999999500), "    1.000000");
	assert_string_equal(stamp(KFT_CLOCK_NS, UINT64_C(12345678901234567)),
			    "12345678.901235");
	assert_string_equal(stamp(KFT_CLOCK_NS, UINT64_MAX), "18446744073.709552");
}

static void other_clocks_are_numbers(void **state)
{
	assert_string_equal(stamp(KFT_CLOCK_COUNT, 42), "          42");
	assert_string_equal(stamp(KFT_CLOCK_COUNT, UINT64_MAX), "18446744073709551615");
}

static void a_writer_keeps_no_wrong_second(void **state)
{
	static const uint64_t stamps[] = {0, 5,		 1000000000, 999999999,
					  0, UINT64_MAX, 7000};
	struct kft_ts_writer w = {};

	for (size_t i = 0; i < ARRAY_SIZE(stamps); i++) {
		char text[KFT_TS_BYTES_MAX + 1];
		char *end = kft_ts_write(&w, KFT_CLOCK_NS, stamps[i], text);

		*end = '\0';
		assert_string_equal(text, stamp(KFT_CLOCK_NS, stamps[i]));
	}
}

static void the_time_of_day_is_local(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} times[] = {
		{UINT64_C(1763819462123456789), "2025-11-22 19:21:02.123456"},
		{UINT64_C(1763819462999999999), "2025-11-22 19:21:02.999999"},
		{UINT64_C(1763819463000000000), "2025-11-22 19:21:03.000000"},
		{0, "1970-01-01 05:30:00.000000"},
	};
	struct kft_wall_writer w = {};

	assert_int_equal(setenv("TZ", "IST-5:30", 1), 0);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		char text[KFT_TS_BYTES_MAX + 1];

		*kft_wall_write(&w, times[i].ns, text) = '\0';
		assert_string_equal(text, times[i].text);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(times_are_rounded_to_microseconds),
	cmocka_unit_test(other_clocks_are_numbers),
	cmocka_unit_test(a_writer_keeps_no_wrong_second),
	cmocka_unit_test(the_time_of_day_is_local),
};

T_MAIN(tests)
