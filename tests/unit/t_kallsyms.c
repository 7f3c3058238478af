// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/kallsyms.h"

static struct kft_symbol_table table;
static size_t bad;

static void parse(const char *text)
{
	kft_symbol_table_finish(&table);
	table = (struct kft_symbol_table){};
	assert_int_equal(kft_kallsyms_parse(text, strlen(text), &table, &bad), 0);
}

static void assert_name(uint64_t addr, const char *name)
{
	const struct kft_symbol *s = kft_symbol_lookup(&table, addr);

	assert_non_null(s);
	assert_int_equal(s->name_len, strlen(name));
	assert_memory_equal(s->name, name, s->name_len);
}

static void lines_become_symbols(void **state)
{
	parse("ffffffff81000000 T _text\n"
	      "ffffffff81000100 t do_one\t[ext4]\n"
	      "ffffffff81000200 W last");
	assert_int_equal(table.syms.len, 3);
	assert_int_equal(bad, 0);
	assert_name(0xffffffff810000ffull, "_text");
	assert_name(0xffffffff81000100ull, "do_one");
	const struct kft_symbol *s = kft_symbol_lookup(&table, 0xffffffff81000100ull);
	assert_int_equal(s->module_len, 4);
	assert_memory_equal(s->module, "ext4", 4);
	assert_null(table.syms.data[0].module);
}

static void order_does_not_matter_and_the_first_alias_wins(void **state)
{
	parse("c0300000 t z\nc0100000 T first\nc0100000 T second\nc0200000 t b\n");
	assert_int_equal(table.syms.len, 3);
	assert_name(0xc0100010, "first");
	assert_name(0xc0200000, "b");
	assert_name(0xc0400000, "z");
}

static void modules_are_sorted_into_the_kernel(void **state)
{
	parse("c0100000 t a\nc0200000 t b\nc0300000 t c\nc0400000 t d\n"
	      "c0250000 t m2\t[m]\nc0050000 t m1\t[m]\nc0200000 t alias\t[m]\n"
	      "c0500000 t m3\t[m]\n");
	assert_int_equal(table.syms.len, 7);
	for (size_t i = 1; i < table.syms.len; i++)
		assert_true(table.syms.data[i - 1].addr < table.syms.data[i].addr);
	assert_name(0xc0050001, "m1");
	assert_name(0xc0200000, "b");
	assert_name(0xc0250000, "m2");
	assert_name(0xc0600000, "m3");
}

/* On arm64 the section begins where the kernel's text does. */
static void the_section_of_interrupts_is_known_by_aliases(void **state)
{
	parse("ffff800008010000 T _stext\nffff800008010000 T __irqentry_text_start\n"
	      "ffff80000801029c T __irqentry_text_end\n"
	      "ffff80000801029c T __softirqentry_text_start\n");
	assert_int_equal(table.syms.len, 2);
	assert_int_equal(table.irq_start, 0xffff800008010000);
	assert_int_equal(table.irq_end, 0xffff80000801029c);
	parse("ffff80000801029c T __irqentry_text_end\n");
	assert_int_equal(table.irq_start, 0);
	assert_int_equal(table.irq_end, 0);
}

static void what_is_no_code_is_left_out(void **state)
{
	parse("0000000000000000 A fixed_percpu_data\n"
	      "0000000000001000 a cpu_thing\n"
	      "c0100000 t $a\nc0100000 t real\n");
	assert_int_equal(table.syms.len, 1);
	assert_name(0xc0100000, "real");
}

static void hidden_addresses_give_an_empty_table(void **state)
{
	parse("0000000000000000 T _text\n0000000000000000 T other\n");
	assert_int_equal(table.syms.len, 0);
}

static void bad_lines_are_counted(void **state)
{
	parse("garbage\n\nffffffff81000000 T \nffffffff81000000 T ok\n"
	      "12345678901234567 T long\nffffffff81000000T x\nffff");
	assert_int_equal(bad, 5);
	assert_int_equal(table.syms.len, 1);
	parse("");
	assert_int_equal(table.syms.len, 0);
}

static int finish(void **state)
{
	kft_symbol_table_finish(&table);
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(lines_become_symbols, finish),
	cmocka_unit_test_teardown(order_does_not_matter_and_the_first_alias_wins, finish),
	cmocka_unit_test_teardown(modules_are_sorted_into_the_kernel, finish),
	cmocka_unit_test_teardown(the_section_of_interrupts_is_known_by_aliases, finish),
	cmocka_unit_test_teardown(what_is_no_code_is_left_out, finish),
	cmocka_unit_test_teardown(hidden_addresses_give_an_empty_table, finish),
	cmocka_unit_test_teardown(bad_lines_are_counted, finish),
};

T_MAIN(tests)
