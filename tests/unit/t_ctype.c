// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/types/ctype.h"

static struct kft_ctype type_of(const char *text, uint32_t long_size)
{
	struct kft_ctype t;

	assert_true(kft_ctype_parse(text, strlen(text), long_size, &t));
	return t;
}

static void sizes_follow_the_traced_kernel(void **state)
{
	assert_int_equal(type_of("unsigned long", 4).size, 4);
	assert_int_equal(type_of("unsigned long", 8).size, 8);
	assert_int_equal(type_of("long unsigned int", 4).size, 4);
	assert_int_equal(type_of("unsigned long long", 4).size, 8);
	assert_int_equal(type_of("size_t", 4).size, 4);
	assert_int_equal(type_of("void *", 4).size, 4);
	assert_int_equal(type_of("loff_t", 4).size, 8);
	assert_true(type_of("pgoff_t", 8).is_long);
	assert_false(type_of("long long", 8).is_long);
}

static void signs_are_those_of_c(void **state)
{
	assert_true(type_of("int", 8).is_signed);
	assert_true(type_of("const char", 8).is_signed);
	assert_true(type_of("const char", 8).is_char);
	assert_false(type_of("unsigned char", 8).is_char);
	assert_false(type_of("unsigned", 8).is_signed);
	assert_false(type_of("enum zone_type", 8).is_signed);
	assert_int_equal(type_of("enum zone_type", 8).size, 4);
	assert_true(type_of("s16", 8).is_signed);
	assert_false(type_of("__be32", 8).is_signed);
}

static void pointers_know_what_they_point_to(void **state)
{
	struct kft_ctype t = type_of("const u16 *", 8);

	assert_true(t.is_pointer);
	assert_int_equal(t.target_size, 2);
	t = type_of("char __attribute__((user)) *", 8);
	assert_true(t.is_pointer && t.target_char);
	t = type_of("const char **", 4);
	assert_int_equal(t.target_size, 4);
	assert_false(t.target_char);
	t = type_of("struct page *", 8);
	assert_true(t.is_pointer && !t.is_struct);
}

static void strange_types_are_told_apart(void **state)
{
	struct kft_ctype t;

	assert_true(kft_ctype_parse("struct page", 11, 8, &t));
	assert_true(t.is_struct);
	assert_false(kft_ctype_parse("frob_t", 6, 8, &t));
	assert_int_equal(t.size, 0);
	assert_false(kft_ctype_parse("frob_t *", 8, 8, &t));
	assert_true(t.is_pointer);
	assert_false(kft_ctype_parse("int + 3", 7, 8, &t));
	assert_false(kft_ctype_parse("", 0, 8, &t));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sizes_follow_the_traced_kernel),
	cmocka_unit_test(signs_are_those_of_c),
	cmocka_unit_test(pointers_know_what_they_point_to),
	cmocka_unit_test(strange_types_are_told_apart),
};

T_MAIN(tests)
