// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/printfmt/printk.h"
#include "model/meta.h"

static struct kft_arena arena;
static struct kft_map map;
static size_t bad;

static void parse(const char *text)
{
	assert_int_equal(kft_printkfmt_parse(text, strlen(text), &arena, &map, &bad), 0);
}

static void assert_string_at(uint64_t addr, const char *want)
{
	const uint64_t *slot = kft_map_get(&map, addr);

	assert_non_null(slot);
	const struct kft_blob *b = (const struct kft_blob *)(uintptr_t)*slot;
	assert_int_equal(b->len, strlen(want));
	assert_string_equal(b->data, want);
}

static void strings_are_found_by_address(void **state)
{
	parse("0xffffffff81e6a5e3 : \"cpu %d: \\\"x\\\"\\t\\\\\\n\"\n"
	      "0xc0100000 : \"\"\n"
	      "c0200000 : \"no prefix\"");
	assert_int_equal(bad, 0);
	assert_string_at(0xffffffff81e6a5e3ull, "cpu %d: \"x\"\t\\\n");
	assert_string_at(0xc0100000, "");
	assert_string_at(0xc0200000, "no prefix");
}

static void bad_lines_are_counted(void **state)
{
	parse("# comment\n0x10 \"x\"\n0x20 : x\n0x30 : \"\n0xffffffffffffffff : \"x\"\n"
	      "0x11112222333344445 : \"x\"\n0x40 : \"ok\"\n");
	assert_int_equal(bad, 6);
	assert_string_at(0x40, "ok");
	assert_null(kft_map_get(&map, 0x30));
}

static int finish(void **state)
{
	kft_map_finish(&map);
	kft_arena_finish(&arena);
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(strings_are_found_by_address, finish),
	cmocka_unit_test_teardown(bad_lines_are_counted, finish),
};

T_MAIN(tests)
