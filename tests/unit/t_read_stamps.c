// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "base/strbuf.h"
#include "file/tracedat/read/stamps.h"

static struct kft_cursor over(const struct kft_strbuf *sb)
{
	return kft_cursor_init(sb->buf, sb->len, false);
}

static void put(struct kft_strbuf *sb, uint64_t v, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		kft_strbuf_addc(sb, v >> 8 * i);
}

static int add(struct kft_dat_stamps *s, const char *text, int64_t unit)
{
	struct kft_cursor c = kft_cursor_init(text, strlen(text) + 1, false);

	return kft_dat_stamps_add_text(s, &c, unit);
}

static void nothing_is_changed_without_options(void **state)
{
	struct kft_dat_stamps s = {};

	assert_false(kft_dat_stamps_change(&s, 0));
	assert_true(kft_dat_stamp(&s, 3, UINT64_MAX) == UINT64_MAX);
}

static void offsets_are_added_up(void **state)
{
	struct kft_dat_stamps s = {};

	assert_int_equal(add(&s, "1000", 1), 0);
	assert_int_equal(add(&s, "0x10", 1000), 0);
	assert_int_equal(add(&s, "-7000", 1), 0);
	assert_true(kft_dat_stamps_change(&s, 0));
	assert_int_equal(kft_dat_stamp(&s, 0, 50), 50 + 1000 + 16000 - 7000);
	assert_int_equal(add(&s, "x", 1), -EBADMSG);
	assert_int_equal(add(&s, "", 1), -EBADMSG);
	struct kft_cursor c = kft_cursor_init("5", 0, false);
	assert_int_equal(kft_dat_stamps_add_text(&s, &c, 1), -EBADMSG);
	char longer[200];
	memset(longer, '1', sizeof(longer));
	c = kft_cursor_init(longer, sizeof(longer), false);
	assert_int_equal(kft_dat_stamps_add_text(&s, &c, 1), -EBADMSG);
}

static uint64_t scaled(uint32_t mult, uint32_t shift, uint64_t ts)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_dat_stamps s = {};

	put(&sb, mult, 4);
	put(&sb, shift, 4);
	put(&sb, 0, 8);
	struct kft_cursor c = over(&sb);
	assert_int_equal(kft_dat_stamps_tsc2nsec(&s, &c), 0);
	return kft_dat_stamp(&s, 0, ts);
}

/* Expected values by arithmetic without limits: ts * mult >> shift. */
static void cycles_become_nanoseconds(void **state)
{
	assert_true(scaled(1, 0, 123456789) == 123456789);
	assert_true(scaled(3221225472u, 33, 10000000000000) == UINT64_C(3750000000000));
	assert_true(scaled(UINT32_MAX, 32, UINT64_C(0x123456789abcdef)) ==
		    UINT64_C(0x123456788888887));
	assert_true(scaled(UINT32_MAX, 63, UINT64_MAX) == 8589934589u);
	assert_true(scaled(0, 5, 77) == 77);
}

static void senseless_scales_are_refused(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_dat_stamps s = {};

	put(&sb, 5, 4);
	put(&sb, 64, 4);
	struct kft_cursor c = over(&sb);
	assert_int_equal(kft_dat_stamps_tsc2nsec(&s, &c), -EBADMSG);
	c = kft_cursor_init(sb.buf, 7, false);
	assert_int_equal(kft_dat_stamps_tsc2nsec(&s, &c), -EBADMSG);
	assert_false(kft_dat_stamps_change(&s, 0));
}

struct sample {
	uint64_t time;
	int64_t offset;
	uint64_t scaling;
	uint64_t fraction;
};

/* A TIME_SHIFT option of two CPUs: none for CPU 0, the samples for CPU 1. */
static void put_shift(struct kft_strbuf *sb, uint32_t flags, const struct sample *s,
		      uint32_t n, bool fractions)
{
	put(sb, 0x1234, 8);
	put(sb, flags, 4);
	put(sb, 2, 4);
	put(sb, 0, 4);
	put(sb, n, 4);
	for (uint32_t i = 0; i < n; i++)
		put(sb, s[i].time, 8);
	for (uint32_t i = 0; i < n; i++)
		put(sb, s[i].offset, 8);
	for (uint32_t i = 0; i < n; i++)
		put(sb, s[i].scaling, 8);
	for (uint32_t i = 0; i < n && fractions; i++)
		put(sb, s[i].fraction, 8);
}

static void guests_are_moved_to_their_host(void **state)
{
	static const struct sample samples[] = {{3000, -400, 1, 0},
						{1000, 100, 1, 0},
						{2000, 300, 1, 0},
						{2000, 300, 1, 0}};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_dat_stamps s = {};

	put_shift(&sb, 1, samples, 4, false);
	struct kft_cursor c = over(&sb);
	assert_int_equal(kft_dat_stamps_time_shift(&s, &c), 0);
	assert_false(kft_dat_stamps_change(&s, 0));
	assert_true(kft_dat_stamps_change(&s, 1));
	assert_false(kft_dat_stamps_change(&s, 2));
	assert_int_equal(kft_dat_stamp(&s, 0, 1500), 1500);
	assert_int_equal(kft_dat_stamp(&s, 1, 1000), 1100);
	assert_int_equal(kft_dat_stamp(&s, 1, 1500), 1700);
	/* Rounding is trace-cmd's: half a unit is added and the rest cut off, so -49.5 is -49. */
	assert_int_equal(kft_dat_stamp(&s, 1, 2500), 2500 - 49);
	/* Before and after the samples the slope goes on. */
	assert_int_equal(kft_dat_stamp(&s, 1, 500), 500 + 1);
	assert_int_equal(kft_dat_stamp(&s, 1, 4000), 4000 - 1099);
	assert_int_equal(kft_dat_stamp(&s, 9, 5), 5);
	kft_dat_stamps_finish(&s);
}

static void guests_clocks_are_scaled(void **state)
{
	static const struct sample samples[] = {{1000, 10, 3, 1}, {2000, 20, 3, 1}};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_dat_stamps s = {};

	put_shift(&sb, 0, samples, 2, true);
	struct kft_cursor c = over(&sb);
	assert_int_equal(kft_dat_stamps_time_shift(&s, &c), 0);
	assert_int_equal(kft_dat_stamp(&s, 1, 1100), 1650 + 10);
	kft_dat_stamps_finish(&s);
}

static void half_a_table_changes_nothing(void **state)
{
	static const struct sample samples[] = {{1000, 10, 3, 1}, {2000, 20, 3, 1}};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	size_t plain = 16 + 4 + 4 + 2 * 24;

	put_shift(&sb, 0, samples, 2, true);
	for (size_t len = 0; len < sb.len; len++) {
		struct kft_dat_stamps s = {};
		struct kft_cursor c = kft_cursor_init(sb.buf, len, false);

		assert_int_equal(kft_dat_stamps_time_shift(&s, &c),
				 len == plain ? 0 : -EBADMSG);
		assert_int_equal(kft_dat_stamps_change(&s, 1), len == plain);
		kft_dat_stamps_finish(&s);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(nothing_is_changed_without_options),
	cmocka_unit_test(offsets_are_added_up),
	cmocka_unit_test(cycles_become_nanoseconds),
	cmocka_unit_test(senseless_scales_are_refused),
	cmocka_unit_test(guests_are_moved_to_their_host),
	cmocka_unit_test(guests_clocks_are_scaled),
	cmocka_unit_test(half_a_table_changes_nothing),
};

T_MAIN(tests)
