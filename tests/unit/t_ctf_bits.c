// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "file/ctf/bits.h"

static uint64_t read_at(const uint8_t *bytes, size_t n, uint64_t pos, uint32_t size,
			bool big)
{
	struct kft_ctf_bits b = {.base = bytes, .pos = pos, .end = n * 8};
	uint64_t v = 0;

	assert_true(kft_ctf_bits_read(&b, size, big, &v));
	assert_int_equal(b.pos, pos + size);
	return v;
}

static void little_endian_fields_start_at_the_lowest_bit(void **state)
{
	/* 5 bits: 17, 27 bits: 0x5a5a5a5, as LTTng's header has them */
	static const uint8_t word[] = {0xb1, 0xb4, 0xb4, 0xb4};

	assert_int_equal(read_at(word, 4, 0, 5, false), 17);
	assert_int_equal(read_at(word, 4, 5, 27, false), 0x5a5a5a5);
	assert_int_equal(read_at(word, 4, 0, 32, false), 0xb4b4b4b1);
	assert_int_equal(read_at(word, 4, 7, 2, false), 1);
}

static void big_endian_fields_start_at_the_highest_bit(void **state)
{
	static const uint8_t word[] = {0x8d, 0xa5, 0xa5, 0xa5};

	assert_int_equal(read_at(word, 4, 0, 5, true), 17);
	assert_int_equal(read_at(word, 4, 5, 27, true), 0x5a5a5a5);
	assert_int_equal(read_at(word, 4, 0, 32, true), 0x8da5a5a5);
	assert_int_equal(read_at(word, 4, 7, 2, true), 3);
}

static void put_bit(uint8_t *bytes, uint64_t pos, bool big)
{
	bytes[pos / 8] |= big ? 0x80 >> pos % 8 : 1 << pos % 8;
}

/* Written bit by bit, each size at each place, in both orders. */
static void every_size_is_read_at_every_place(void **state)
{
	const uint64_t pattern = UINT64_C(0x9e3779b97f4a7c15);

	for (unsigned int big = 0; big < 2; big++) {
		for (uint32_t size = 1; size <= 64; size++) {
			for (uint32_t pos = 0; pos < 16; pos++) {
				uint8_t bytes[10] = {};
				uint64_t v =
					size < 64 ? pattern & ((UINT64_C(1) << size) - 1)
						  : pattern;

				for (uint32_t i = 0; i < size; i++)
					if (v >> (big ? size - 1 - i : i) & 1)
						put_bit(bytes, pos + i, big);
				assert_true(read_at(bytes, 10, pos, size, big) == v);
			}
		}
	}
}

static void nothing_is_read_beyond_the_end(void **state)
{
	static const uint8_t bytes[] = {0xff, 0xff};
	struct kft_ctf_bits b = {.base = bytes, .pos = 3, .end = 15};
	uint64_t v;

	assert_false(kft_ctf_bits_read(&b, 13, false, &v));
	assert_int_equal(b.pos, 3);
	assert_true(kft_ctf_bits_read(&b, 12, false, &v));
	assert_false(kft_ctf_bits_align(&b, 16));
	assert_true(kft_ctf_bits_align(&b, 1));
	assert_false(kft_ctf_bits_skip(&b, 1));
	b.pos = 3;
	assert_true(kft_ctf_bits_align(&b, 8));
	assert_int_equal(b.pos, 8);
}

static void signs_are_extended(void **state)
{
	assert_true(kft_ctf_extend(5, 3, true) == (uint64_t)-3);
	assert_int_equal(kft_ctf_extend(5, 3, false), 5);
	assert_int_equal(kft_ctf_extend(3, 3, true), 3);
	assert_true(kft_ctf_extend(UINT64_MAX, 64, true) == UINT64_MAX);
}

static bool leb128(const char *bytes, size_t n, bool is_signed, uint64_t *ret)
{
	struct kft_ctf_bits b = {.base = (const uint8_t *)bytes, .end = n * 8};

	return kft_ctf_bits_leb128(&b, is_signed, ret) && b.pos == n * 8;
}

#define NINE(byte) byte byte byte byte byte byte byte byte byte

/* Values of DWARF's specification (version 5, 7.6), and the ends of 64 bits. */
static void integers_may_have_as_many_bytes_as_they_need(void **state)
{
	static const struct {
		const char *bytes;
		uint64_t value;
		uint8_t n;
		bool is_signed;
	} known[] = {
		{"\x02", 2, 1, false},
		{"\x7f", 127, 1, false},
		{"\x80\x01", 128, 2, false},
		{"\xb9\x64", 12857, 2, false},
		{"\x7e", -2, 1, true},
		{"\xff\x00", 127, 2, true},
		{"\x80\x7f", -128, 2, true},
		{NINE("\xff") "\x01", UINT64_MAX, 10, false},
		{NINE("\x80") "\x7f", UINT64_C(1) << 63, 10, true},
		{"\x80\x80\x80\x00", 0, 4, false},
	};
	uint64_t v;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		assert_true(leb128(known[i].bytes, known[i].n, known[i].is_signed, &v));
		assert_true(v == known[i].value);
		assert_false(
			leb128(known[i].bytes, known[i].n - 1, known[i].is_signed, &v));
	}
	assert_false(leb128(NINE("\xff") "\x02", 10, false, &v));
	assert_false(leb128(NINE("\x80") "\x80\x00", 11, false, &v));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(little_endian_fields_start_at_the_lowest_bit),
	cmocka_unit_test(big_endian_fields_start_at_the_highest_bit),
	cmocka_unit_test(every_size_is_read_at_every_place),
	cmocka_unit_test(nothing_is_read_beyond_the_end),
	cmocka_unit_test(signs_are_extended),
	cmocka_unit_test(integers_may_have_as_many_bytes_as_they_need),
};

T_MAIN(tests)
