// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include <kft/plan.h>

static void functions_are_names_globs_or_addresses(void **state)
{
	struct kft_plan p = {};

	assert_int_equal(kft_plan_add_function(&p, "vfs_read", NULL), 0);
	assert_int_equal(kft_plan_add_function(&p, "vfs_*", NULL), 0);
	assert_int_equal(kft_plan_add_function(&p, "0xffffffff81000000", NULL), 0);
	assert_int_equal(kft_plan_exclude_function(&p, "kfree", NULL), 0);
	assert_int_equal(p.functions.include.len, 3);
	assert_int_equal(p.functions.include.items[0].kind, KFT_FUNC_NAME);
	assert_string_equal(p.functions.include.items[1].name, "vfs_*");
	assert_int_equal(p.functions.include.items[1].kind, KFT_FUNC_GLOB);
	assert_int_equal(p.functions.include.items[2].addr, 0xffffffff81000000);
	assert_null(p.functions.include.items[2].name);
	assert_string_equal(p.functions.exclude.items[0].name, "kfree");
	kft_plan_functions_finish(&p.functions);
	assert_int_equal(p.functions.include.len, 0);
}

static void what_is_no_function_is_refused(void **state)
{
	static const char *const words[] = {"", "9lives", "a b", "0x", "0xfg", "a;b"};
	struct kft_plan p = {};
	struct kft_err e;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(kft_plan_add_function(&p, words[i], &e), -EINVAL);
	assert_int_equal(kft_plan_add_function(&p, "0x10000000000000000", &e), -ERANGE);
	assert_int_equal(p.functions.include.len, 0);
}

static void a_trigger_is_one_function(void **state)
{
	struct kft_plan p = {};
	struct kft_err e;

	assert_int_equal(
		kft_plan_trigger_set_function(&p.start, KFT_TRIGGER_EXIT, "vfs_*", &e),
		-EINVAL);
	assert_string_equal(e.msg, "a trigger wants one function, not 'vfs_*'");
	assert_int_equal(p.start.kind, KFT_TRIGGER_NONE);
	assert_int_equal(
		kft_plan_trigger_set_function(&p.start, KFT_TRIGGER_EXIT, "vfs_read", &e),
		0);
	assert_int_equal(
		kft_plan_trigger_set_function(&p.start, KFT_TRIGGER_ENTRY, "0x12", &e),
		0);
	assert_int_equal(p.start.kind, KFT_TRIGGER_ENTRY);
	assert_int_equal(p.start.func.addr, 0x12);
	kft_plan_finish(&p);
}

static void commands_are_copied(void **state)
{
	struct kft_plan p = {};
	char comm[] = "bash";

	assert_int_equal(kft_plan_add_comm(&p, comm, NULL), 0);
	comm[0] = 'x';
	assert_string_equal(p.functions.comms[0], "bash");
	assert_int_equal(kft_plan_add_comm(&p, "", NULL), -EINVAL);
	kft_plan_functions_finish(&p.functions);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(functions_are_names_globs_or_addresses),
	cmocka_unit_test(what_is_no_function_is_refused),
	cmocka_unit_test(a_trigger_is_one_function),
	cmocka_unit_test(commands_are_copied),
};

T_MAIN(tests)
