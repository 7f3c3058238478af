// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdio.h>
#include <time.h>

#include "decode/printfmt/directive.h"

static struct kft_strbuf out;

static const char *number(const char *fmt, uint64_t v)
{
	struct kft_directive d;

	assert_int_equal(kft_directive_parse(fmt, fmt + strlen(fmt), 8, &d), strlen(fmt));
	kft_strbuf_clear(&out);
	kft_directive_add_number(&d, v, &out);
	return kft_strbuf_cstr(&out);
}

static void parts_are_read(void **state)
{
	static const char fmt[] = "%-#0*.5llx!";
	struct kft_directive d;

	assert_int_equal(kft_directive_parse(fmt, fmt + sizeof(fmt) - 1, 8, &d),
			 sizeof(fmt) - 2);
	assert_true(d.left && d.alt && d.zero && d.star_width && !d.star_precision);
	assert_int_equal(d.precision, 5);
	assert_int_equal(d.size, 8);
	assert_int_equal(d.conv, KFT_CONV_HEX);
	assert_int_equal(kft_directive_parse("%pISpc x", "%pISpc x" + 8, 8, &d), 6);
	assert_string_equal(d.suffix, "ISpc");
	assert_int_equal(kft_directive_parse("%p", "%p" + 2, 4, &d), 2);
	assert_int_equal(d.size, 4);
}

static void sizes_are_those_of_the_kernel(void **state)
{
	static const struct {
		const char *fmt;
		uint8_t size;
	} sizes[] = {{"%hhd", 1}, {"%hd", 2}, {"%d", 4},  {"%ld", 8}, {"%lld", 8},
		     {"%Lu", 8},  {"%zu", 8}, {"%tx", 8}, {"%ju", 8}, {"%qd", 8}};
	struct kft_directive d;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		const char *fmt = sizes[i].fmt;

		assert_int_equal(kft_directive_parse(fmt, fmt + strlen(fmt), 8, &d),
				 strlen(fmt));
		assert_int_equal(d.size, sizes[i].size);
	}
	assert_int_equal(kft_directive_parse("%ld", "%ld" + 3, 4, &d), 3);
	assert_int_equal(d.size, 4);
}

static void what_is_none_is_refused(void **state)
{
	static const char *const bad[] = {"%", "%5", "%l", "%-", "%y", "%.", "%n", "%*"};
	struct kft_directive d;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(
			kft_directive_parse(bad[i], bad[i] + strlen(bad[i]), 8, &d), 0);
}

static void huge_widths_are_cut(void **state)
{
	static const char fmt[] = "%99999999999999999999d";
	struct kft_directive d;

	assert_int_equal(kft_directive_parse(fmt, fmt + strlen(fmt), 8, &d), strlen(fmt));
	assert_int_equal(d.width, KFT_WIDTH_MAX);
	kft_directive_set_width(&d, INT32_MIN);
	assert_int_equal(d.width, KFT_WIDTH_MAX);
	assert_true(d.left);
	kft_directive_set_precision(&d, -7);
	assert_int_equal(d.precision, -1);
	kft_directive_set_precision(&d, INT32_MAX);
	assert_int_equal(d.precision, KFT_WIDTH_MAX);
}

/* Any format but those where the kernel differs from C. */
static void random_format(char *fmt, size_t size, unsigned int *seed)
{
	static const char *const lengths[] = {"hh", "h", "", "l", "ll"};
	static const char convs[] = "diuxXo";
	char flags[6] = "";
	char width[8] = "";
	char precision[8] = "";
	char conv = convs[rand_r(seed) % 6];

	for (int i = 0; i < 3; i++)
		if (rand_r(seed) % 2)
			strcat(flags, (const char *[]){"-", "+", "0"}[i]);
	if (rand_r(seed) % 2)
		snprintf(width, sizeof(width), "%d", 1 + rand_r(seed) % 30);
	/* C ignores the zero flag beside a precision, and # of 0. */
	if (rand_r(seed) % 2 && !strchr(flags, '0'))
		snprintf(precision, sizeof(precision), ".%d", 1 + rand_r(seed) % 30);
	snprintf(fmt, size, "%%%s%s%s%s%c", flags, width, precision,
		 lengths[rand_r(seed) % 5], conv);
}

static void numbers_look_as_in_c(void **state)
{
	unsigned int seed = time(NULL);
	char fmt[64];
	char want[256];

	print_message("seed %u\n", seed);
	for (int i = 0; i < 20000; i++) {
		uint64_t v = (uint64_t)rand_r(&seed) << 42 ^
			     (uint64_t)rand_r(&seed) << 21 ^ (uint64_t)rand_r(&seed);

		v >>= rand_r(&seed) % 64;
		random_format(fmt, sizeof(fmt), &seed);
		snprintf(want, sizeof(want), fmt, v);
		if (strcmp(number(fmt, v), want) != 0)
			fail_msg("%s of %llx: %s instead of %s", fmt,
				 (unsigned long long)v, kft_strbuf_cstr(&out), want);
	}
}

static void where_the_kernel_differs_from_c(void **state)
{
	assert_string_equal(number("%#x", 0), "0x0");
	assert_string_equal(number("%#o", 0), "0");
	assert_string_equal(number("%#o", 8), "010");
	assert_string_equal(number("%#X", 0xab), "0XAB");
	assert_string_equal(number("%08.3x", 0x12), "00000012");
}

static void padding_is_put_on_the_right_side(void **state)
{
	struct kft_directive d = {.width = 5, .precision = -1};

	kft_strbuf_clear(&out);
	kft_strbuf_adds(&out, "xab");
	kft_directive_pad(&d, &out, 1);
	assert_string_equal(kft_strbuf_cstr(&out), "x   ab");
	d.left = true;
	kft_directive_pad(&d, &out, 3);
	assert_string_equal(kft_strbuf_cstr(&out), "x   ab  ");
	kft_directive_pad(&d, &out, 0);
	assert_int_equal(out.len, 8);
}

static int finish(void **state)
{
	kft_strbuf_finish(&out);
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(parts_are_read),
	cmocka_unit_test(sizes_are_those_of_the_kernel),
	cmocka_unit_test(what_is_none_is_refused),
	cmocka_unit_test(huge_widths_are_cut),
	cmocka_unit_test_teardown(numbers_look_as_in_c, finish),
	cmocka_unit_test_teardown(where_the_kernel_differs_from_c, finish),
	cmocka_unit_test_teardown(padding_is_put_on_the_right_side, finish),
};

T_MAIN(tests)
