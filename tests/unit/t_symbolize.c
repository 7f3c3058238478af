// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "output/symbolize.h"

static struct kft_symbol_table symbols;

static int setup(void **state)
{
	static const struct {
		uint64_t addr;
		const char *name;
	} syms[] = {
		{0xc0100000, "_stext"},		{0xc0123456, "start_kernel"},
		{0xc0123500, ".setup_arch"},	{0xffffffff81000000, "do_fork"},
		{0xffffffff81000400, "_etext"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(syms); i++) {
		struct kft_symbol s = {.addr = syms[i].addr,
				       .name = syms[i].name,
				       .name_len = strlen(syms[i].name)};

		assert_int_equal(kft_symbol_table_add(&symbols, &s), 0);
	}
	kft_symbol_table_sort(&symbols);
	return 0;
}

static int teardown(void **state)
{
	kft_symbol_table_finish(&symbols);
	return 0;
}

static void expect(const char *line, const char *result)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	unsigned int done = 0;

	kft_symbolize(&symbols, line, strlen(line), &done, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), result);
}

static void columns_stay_where_they_are(void **state)
{
	expect("1 0xc0123456   0xc0100010   x", "1 start_kernel _stext+0x10  x");
	/* A name that is longer than its column takes one blank. */
	expect("0xc0123457 0xc0100000", "start_kernel+0x1 _stext");
	expect("0xc0100000\t\tx", "_stext      x");
}

static void only_two_addresses_of_a_line(void **state)
{
	expect("0xc0100000 0xc0123456 0xc0100000 0xc0123456",
	       "_stext     start_kernel 0xc0100000 0xc0123456");
}

static void what_is_no_known_address_stays(void **state)
{
	expect("0x10 0xfffffffffffffff0", "0x10 0xfffffffffffffff0");
	expect("0xffffffff81000400 0xffffffff81000401",
	       "_etext             0xffffffff81000401");
	expect("0x 0xg 0 x0 0", "0x 0xg 0 x0 0");
	expect("0xC0100000", "0xC0100000");
	expect("0x0000000000c0100000", "0x0000000000c0100000");
	expect("", "");
}

static void offsets_of_names_stay(void **state)
{
	expect("start_kernel+0xc0100000 x", "start_kernel+0xc0100000 x");
	expect("f+0x35 0xc0100000 0xc0100000", "f+0x35 _stext     0xc0100000");
}

static void sixty_four_bits_and_leading_dots(void **state)
{
	expect("0xffffffff81000040", "do_fork+0x40");
	expect("0xc0123500 0x00000000c0123501", "setup_arch setup_arch+0x1");
}

static void nothing_is_added_at_the_end_of_a_line(void **state)
{
	expect("by entry to function 0xc0123456", "by entry to function start_kernel");
	expect("0xc0100000   ", "_stext");
	expect("(0xc0100000)", "(_stext)");
}

static void pieces_of_a_line_count_together(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	unsigned int done = 0;

	kft_symbolize(&symbols, "0xc0100000 ", 11, &done, &sb);
	kft_symbolize(&symbols, "0xc0100000 ", 11, &done, &sb);
	kft_symbolize(&symbols, "0xc0100000", 10, &done, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "_stext_stext0xc0100000");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(columns_stay_where_they_are),
	cmocka_unit_test(only_two_addresses_of_a_line),
	cmocka_unit_test(what_is_no_known_address_stays),
	cmocka_unit_test(offsets_of_names_stay),
	cmocka_unit_test(sixty_four_bits_and_leading_dots),
	cmocka_unit_test(nothing_is_added_at_the_end_of_a_line),
	cmocka_unit_test(pieces_of_a_line_count_together),
};

int main(void)
{
	return cmocka_run_group_tests(tests, setup, teardown);
}
