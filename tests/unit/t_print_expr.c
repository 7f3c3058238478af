// SPDX-License-Identifier: GPL-2.0-only
#include "printing.h"

/*
 * The same expressions once as text for kft and once as C for this compiler: both have
 * to come to the same value.
 */
struct record {
	uint16_t common_type;
	uint16_t pad;
	int32_t common_pid;
	int8_t s8;
	uint8_t u8;
	int16_t s16;
	uint16_t u16;
	uint16_t pad2;
	int32_t s32;
	uint32_t u32;
	int64_t s64;
	uint64_t u64;
	uint8_t bytes[6];
	uint16_t words[3];
	int32_t ints[2];
};

static const char fields[] = "\tfield:s8 s8;\toffset:8;\tsize:1;\tsigned:1;\n"
			     "\tfield:u8 u8;\toffset:9;\tsize:1;\tsigned:0;\n"
			     "\tfield:s16 s16;\toffset:10;\tsize:2;\tsigned:1;\n"
			     "\tfield:u16 u16;\toffset:12;\tsize:2;\tsigned:0;\n"
			     "\tfield:int s32;\toffset:16;\tsize:4;\tsigned:1;\n"
			     "\tfield:unsigned int u32;\toffset:20;\tsize:4;\tsigned:0;\n"
			     "\tfield:long long s64;\toffset:24;\tsize:8;\tsigned:1;\n"
			     "\tfield:u64 u64;\toffset:32;\tsize:8;\tsigned:0;\n"
			     "\tfield:u8 bytes[6];\toffset:40;\tsize:6;\tsigned:0;\n"
			     "\tfield:u16 words[3];\toffset:46;\tsize:6;\tsigned:0;\n"
			     "\tfield:int ints[2];\toffset:52;\tsize:8;\tsigned:1;\n";

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

static const struct record values[] = {
	{},
	{.s8 = -1,
	 .u8 = 200,
	 .s16 = -300,
	 .u16 = 40000,
	 .s32 = -5,
	 .u32 = 0x80000001,
	 .s64 = -7,
	 .u64 = UINT64_MAX - 3,
	 .bytes = {1, 2, 3, 4, 5, 255},
	 .words = {65535, 1, 2},
	 .ints = {-9, 10}},
	{.s8 = 3,
	 .u8 = 7,
	 .s16 = 32767,
	 .u16 = 9,
	 .s32 = INT32_MAX,
	 .u32 = 17,
	 .s64 = INT64_MAX,
	 .u64 = 1ull << 63,
	 .bytes = {9, 8, 7, 6, 5, 4},
	 .words = {1, 2, 3},
	 .ints = {INT32_MIN, -1}},
};

static void check(const struct record *r, const char *text, uint64_t want)
{
	struct printing p = {};
	char fmt[1024];
	char expect[64];

	/* The offsets in the fields above assume a structure of this size. */
	_Static_assert(sizeof(struct record) == 64, "padding");
	snprintf(fmt, sizeof(fmt), "\"%%llx\", (unsigned long long)(%s)", text);
	snprintf(expect, sizeof(expect), "%llx", (unsigned long long)want);
	memcpy(p.record, r, sizeof(*r));
	p.size = sizeof(*r);
	printing_class(&p, "s", "e", fields, fmt, 8);
	const char *got = printing_info(&p);
	if (strcmp(got, expect) != 0)
		fail_msg("%s: %s instead of %s", text, got, expect);
	printing_finish(&p);
}

/* x is meant to be odd. */
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wshift-count-overflow"

#define EACH(x)                                                            \
	do {                                                               \
		for (size_t i_ = 0; i_ < ARRAY_SIZE(values); i_++) {       \
			const struct record *REC = &values[i_];            \
			check(REC, #x, (uint64_t)(unsigned long long)(x)); \
		}                                                          \
	} while (0)

static void constants_have_the_types_of_c(void **state)
{
	EACH(-1);
	EACH(0xffffffff);
	EACH(4294967295);
	EACH(-2147483648);
	EACH(~0);
	EACH(~0U);
	EACH(~0UL);
	EACH(1UL << 40);
	EACH(0xffffffff + 1);
	EACH(2147483647U + 1);
	EACH(010 + 0x10 + 0b11);
	EACH('A' + '\n' + '\0' + '\x41');
	EACH(-1 < 1U);
	EACH(-1L < 1U);
	EACH((u8)300);
	EACH((s8)200);
	EACH(-7 / 2);
	EACH(-7 % 3);
	EACH(-8 >> 1);
	EACH(1 ? -1 : 0U);
	EACH(!5 + !0);
	EACH(sizeof(int) + sizeof(unsigned long) + sizeof(u16) + sizeof(void *));
}

static void fields_are_promoted_and_converted(void **state)
{
	EACH(REC->s8);
	EACH(REC->u8);
	EACH(REC->s16);
	EACH(REC->s32);
	EACH(REC->u32);
	EACH(-REC->u8);
	EACH(-REC->u32);
	EACH(~REC->u16);
	EACH(~REC->s64);
	EACH(!REC->s8);
	EACH(REC->s8 + REC->u8);
	EACH(REC->u32 + REC->s32);
	EACH(REC->u32 - REC->u16);
	EACH(REC->s8 * 3);
	EACH(REC->u32 * 3);
	EACH(REC->u64 + REC->s8);
	EACH(REC->s8 < REC->u8);
	EACH(REC->s32 < REC->u32);
	EACH(REC->s64 < REC->u32);
	EACH(REC->s64 < REC->u64);
	EACH(REC->s16 >= REC->u16);
	EACH(REC->s8 == -1);
	EACH(REC->s8 != REC->u8);
	EACH(REC->u8 > 6 && REC->s8 < 0);
	EACH(REC->u8 || REC->s8);
}

static void operators_bind_as_in_c(void **state)
{
	EACH(1 + 2 * 3 - 4 / 2 % 3);
	EACH(REC->u8 & 0x0f | 1 << 4 ^ 3);
	EACH(REC->u8 & 1 == 0);
	EACH(REC->u32 >> 4 & 0xff);
	EACH(REC->u32 >> 1 + 2);
	EACH(REC->u8 ? REC->s8 : REC->u32);
	EACH(REC->u8 > 100 ? 1 : REC->u8 > 5 ? 2 : 3);
	EACH(1 < 2 == 1);
	EACH(8 - 3 - 2);
	EACH(64 / 4 / 2);
	EACH(1 || 0 && 0);
	EACH(-REC->s8 * -2);
	EACH(!REC->u8 == 0);
	EACH((((1UL))) << (8) | ((1UL)) << 9);
	EACH((REC->u64 & ~(1ULL << 63)) != 0);
}

static void casts_cut_and_extend(void **state)
{
	EACH((u8)REC->s32);
	EACH((s8)REC->u8);
	EACH((unsigned char)REC->u32);
	EACH((signed char)REC->u8 + 1);
	EACH((u16)REC->s64 >> 3);
	EACH((u32)REC->s64);
	EACH((int)REC->u64);
	EACH((long)REC->u32);
	EACH((unsigned long)REC->s32);
	EACH((u64)REC->s8 << 3);
	EACH((unsigned int)((REC->u32) >> 20));
	EACH((u64)(u32)REC->s8);
	EACH((u8)~REC->u8);
	EACH((int)-REC->u8);
	EACH((long)REC->s32 - REC->u32);
	EACH((_Bool)REC->u32);
}

static void arrays_are_indexed(void **state)
{
	EACH(REC->bytes[0]);
	EACH(REC->bytes[5] << 8 | REC->bytes[4]);
	EACH(REC->words[REC->bytes[0] & 1]);
	EACH(REC->ints[0]);
	EACH(REC->ints[1] + REC->words[0]);
	EACH(*REC->ints);
	EACH(*(REC->bytes + 2));
	EACH(((u8 *)REC->words)[0]);
	EACH(sizeof(REC->bytes) + sizeof(REC->words[0]) + sizeof(REC->u64));
	EACH(((const u8 *)REC->bytes)[3]);
}

static void built_ins_are_known(void **state)
{
	EACH(__builtin_expect(REC->u8 > 5, 1));
	EACH(__builtin_bswap32(REC->u32));
	EACH(__builtin_bswap16((u16)REC->u16));
	EACH(__builtin_bswap64(REC->u64));
	EACH(({
		int x = (REC->s32);
		int y = (128);
		((x) < (y) ? (x) : (y));
	}));
	EACH(({
		u8 x = REC->s32;
		x;
	}));
	EACH(__builtin_ctzll(0x100));
	EACH(__builtin_choose_expr(1, REC->u8, 5));
}

static void nothing_traps(void **state)
{
	struct printing p = {};

	printing_class(
		&p, "s", "e", fields,
		"\"%d %d %lld %d %d\", 5 / REC->s32, 5 % REC->u8, "
		"(-0x7fffffffffffffffLL - 1) / (REC->s64 - 1), 1 << (REC->u8 + 40), "
		"REC->bytes[REC->s32 - 1]",
		8);
	p.size = 64;
	assert_string_equal(printing_info(&p), "0 0 -9223372036854775808 0 0");
	printing_finish(&p);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(constants_have_the_types_of_c),
	cmocka_unit_test(fields_are_promoted_and_converted),
	cmocka_unit_test(operators_bind_as_in_c),
	cmocka_unit_test(casts_cut_and_extend),
	cmocka_unit_test(arrays_are_indexed),
	cmocka_unit_test(built_ins_are_known),
	cmocka_unit_test(nothing_traps),
};

T_MAIN(tests)
