// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "config.h"
#include "plan/resolve.h"

static struct kft_symbol_table table;

static void add(const char *name, uint64_t addr)
{
	struct kft_symbol s = {.addr = addr, .name = name, .name_len = strlen(name)};

	assert_int_equal(kft_symbol_table_add(&table, &s), 0);
}

static int setup(void **state)
{
	add("vfs_read", 0x1000);
	add("vfs_write", 0x1100);
	add("kernel_clone", 0x1200);
	add("cleanup", 0x1300);
	add("cleanup", 0x1400);
	add("__x64_sys_getpid", 0x1500);
	return 0;
}

static int teardown(void **state)
{
	kft_symbol_table_finish(&table);
	return 0;
}

static void resolves(const char *text, int expected, const char *complaints,
		     struct kft_config *ret)
{
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_functions fns = kft_functions_of_symbols(&table, "this kernel");

	t_config_parse(text, ret);
	assert_int_equal(kft_config_resolve(ret, &fns, &d), expected);
	kft_diags_text(&d, "f", &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), complaints);
}

static void functions_are_counted(void **state)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};

	resolves("begin trigger start entry 0x1300 filter funclist vfs_* cleanup 0x1100 "
		 "vfs_read vfs_read fend end begin filter nofunclist vfs_read fend end",
		 0, "", &c);
	const struct kft_config_funcs *list = &c.runs.data[0].funclist;
	static const uint32_t counts[] = {2, 2, 1, 1, 1};

	assert_int_equal(c.runs.data[0].start.func.match_count, 1);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		assert_int_equal(list->data[i].match_count, counts[i]);
	assert_int_equal(c.runs.data[1].nofunclist.data[0].match_count, 1);
}

static void the_nearest_are_named(void **state)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};

	resolves(
		"begin\n trigger start entry vfs_raed\n filter funclist sys_getpid fend\n"
		"filter nofunclist zzz x*y 0x1234 0x10 fend end",
		-EINVAL,
		"f:2:22: 'vfs_raed': expected a function of this kernel\n"
		"  did you mean 'vfs_read'?\n"
		"f:3:18: 'sys_getpid': expected a function of this kernel\n"
		"  did you mean '__x64_sys_getpid'?\n"
		"f:4:19: 'zzz': expected a function of this kernel\n"
		"f:4:23: 'x*y': no function of this kernel matches\n"
		"f:4:27: '0x1234': expected the start of a function of this kernel\n"
		"  the next lower one is kernel_clone at 0x1200\n"
		"f:4:34: '0x10': expected the start of a function of this kernel\n"
		"  use the function's name; addresses of the kernel are hidden from all "
		"but root, and change with each boot\n",
		&c);
}

static void what_became_of_old_functions_is_told(void **state)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};

	resolves("trigger start entry do_fork", -EINVAL,
		 "f:1:21: 'do_fork': expected a function of this kernel\n"
		 "  do_fork is kernel_clone since Linux 5.10\n",
		 &c);
}

static void a_trigger_is_one_of_several(void **state)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};

	resolves("trigger stop exit cleanup", -EINVAL,
		 "f:1:19: 'cleanup': this kernel has 2 functions of this name, expected "
		 "one\n"
		 "  give the 0x address of the one that is meant\n",
		 &c);
}

static void complaints_have_an_end(void **state)
{
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	_cleanup_(kft_config_finish) struct kft_config c = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct kft_functions fns = kft_functions_of_symbols(&table, "this kernel");

	kft_strbuf_adds(&text, "filter funclist");
	for (int i = 0; i < 1000; i++)
		kft_strbuf_addf(&text, " unknown_%d", i);
	t_config_parse(kft_strbuf_cstr(&text), &c);
	assert_int_equal(kft_config_resolve(&c, &fns, &d), -EINVAL);
	assert_int_equal(d.list.len, KFT_DIAGS_MAX);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(functions_are_counted),
	cmocka_unit_test(the_nearest_are_named),
	cmocka_unit_test(what_became_of_old_functions_is_told),
	cmocka_unit_test(a_trigger_is_one_of_several),
	cmocka_unit_test(complaints_have_an_end),
};

int main(void)
{
	return cmocka_run_group_tests(tests, setup, teardown);
}
