// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <string.h>

#include "model/event.h"

static struct kft_event event_of(const void *data, uint32_t size)
{
	return (struct kft_event){.data = data, .size = size};
}

static void integers_are_extended_and_swapped(void **state)
{
	static const uint8_t data[] = {0xff, 0xfe, 0x80, 0x01, 1, 2, 3, 4, 5, 6, 7, 8};
	struct kft_event ev = event_of(data, sizeof(data));
	struct kft_field f = {.offset = 0, .size = 1, .is_signed = true};
	bool be = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint64_t v;

	assert_true(kft_event_int(&ev, &f, be, &v));
	assert_int_equal((int64_t)v, -1);
	f.is_signed = false;
	assert_true(kft_event_int(&ev, &f, be, &v));
	assert_int_equal(v, 255);
	f = (struct kft_field){.offset = 1, .size = 2, .is_signed = true};
	assert_true(kft_event_int(&ev, &f, !be, &v));
	assert_int_equal((int64_t)v, (int16_t)0xfe80);
	f = (struct kft_field){.offset = 4, .size = 8};
	assert_true(kft_event_int(&ev, &f, !be, &v));
	assert_true(v == UINT64_C(0x0102030405060708));
}

static void integers_beyond_the_record_fail(void **state)
{
	static const uint8_t data[8];
	struct kft_event ev = event_of(data, 7);
	struct kft_field f = {.offset = 0, .size = 8};
	uint64_t v;

	assert_false(kft_event_int(&ev, &f, false, &v));
	f = (struct kft_field){.offset = 4, .size = 4};
	assert_false(kft_event_int(&ev, &f, false, &v));
	f = (struct kft_field){.offset = UINT32_MAX, .size = 4};
	assert_false(kft_event_int(&ev, &f, false, &v));
	f = (struct kft_field){.offset = 0, .size = 3};
	assert_false(kft_event_int(&ev, &f, false, &v));
}

static void strings_are_found_in_every_place(void **state)
{
	/* u32 loc, u32 rel_loc, "ab\0c" */
	uint8_t data[] = {8, 0, 4, 0, 0, 0, 4, 0, 'a', 'b', 0, 'c'};
	struct kft_event ev = event_of(data, sizeof(data));
	struct kft_field f = {.offset = 0, .size = 4, .place = KFT_FIELD_DATA_LOC};
	bool be = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const uint8_t *p;
	const char *s;
	size_t n;

	assert_true(kft_event_bytes(&ev, &f, be, &p, &n));
	assert_ptr_equal(p, data + 8);
	assert_int_equal(n, 4);
	assert_true(kft_event_str(&ev, &f, be, &s, &n));
	assert_int_equal(n, 2);
	f = (struct kft_field){.offset = 4, .size = 4, .place = KFT_FIELD_REL_LOC};
	assert_true(kft_event_str(&ev, &f, be, &s, &n));
	assert_ptr_equal(s, data + 8);
	f = (struct kft_field){.offset = 8, .size = 4};
	assert_true(kft_event_str(&ev, &f, be, &s, &n));
	assert_int_equal(n, 2);
	f = (struct kft_field){.offset = 11, .place = KFT_FIELD_TAIL};
	assert_true(kft_event_str(&ev, &f, be, &s, &n));
	assert_int_equal(n, 1);
	f.offset = 12;
	assert_true(kft_event_bytes(&ev, &f, be, &p, &n));
	assert_int_equal(n, 0);
}

static void places_beyond_the_record_fail(void **state)
{
	uint8_t data[] = {9, 0, 4, 0, 0xff, 0xff, 0xff, 0xff, 'a', 'b', 0, 'c'};
	struct kft_event ev = event_of(data, sizeof(data));
	struct kft_field f = {.offset = 0, .size = 4, .place = KFT_FIELD_DATA_LOC};
	bool be = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const uint8_t *p;
	size_t n;

	assert_false(kft_event_bytes(&ev, &f, be, &p, &n));
	f.offset = 4;
	assert_false(kft_event_bytes(&ev, &f, be, &p, &n));
	f.place = KFT_FIELD_REL_LOC;
	assert_false(kft_event_bytes(&ev, &f, be, &p, &n));
	f.offset = 9;
	assert_false(kft_event_bytes(&ev, &f, be, &p, &n));
	f = (struct kft_field){.offset = 13, .place = KFT_FIELD_TAIL};
	assert_false(kft_event_bytes(&ev, &f, be, &p, &n));
	f = (struct kft_field){.offset = 9, .size = 4};
	assert_false(kft_event_bytes(&ev, &f, be, &p, &n));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(integers_are_extended_and_swapped),
	cmocka_unit_test(integers_beyond_the_record_fail),
	cmocka_unit_test(strings_are_found_in_every_place),
	cmocka_unit_test(places_beyond_the_record_fail),
};

T_MAIN(tests)
