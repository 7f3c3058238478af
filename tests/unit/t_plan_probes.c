// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include <kft/plan.h>

#include "base/macro.h"

static void assert_text(const char *got, const char *want)
{
	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
}

static void assert_probe(bool is_user, const char *text, const char *program,
			 const char *symbol, bool at_return, const char *args,
			 const char *filter)
{
	_cleanup_(kft_plan_finish) struct kft_plan p = {};

	assert_int_equal(kft_plan_add_probe(&p, is_user, text, NULL), 0);
	assert_int_equal(p.n_probes, 1);
	assert_int_equal(p.probes[0].is_user, is_user);
	assert_text(p.probes[0].program, program);
	assert_text(p.probes[0].symbol, symbol);
	assert_int_equal(p.probes[0].at_return, at_return);
	assert_text(p.probes[0].args, args);
	assert_text(p.probes[0].filter, filter);
}

static void functions_of_the_kernel(void **state)
{
	assert_probe(false, "vfs_read", NULL, "vfs_read", false, NULL, NULL);
	assert_probe(false, "vfs_read%return", NULL, "vfs_read", true, NULL, NULL);
	assert_probe(false, "vfs_read%return($retval)/retval < 0/", NULL, "vfs_read",
		     true, "$retval", "retval < 0");
	assert_probe(false, "vfs_read(file->f_inode->i_ino, count)", NULL, "vfs_read",
		     false, "file->f_inode->i_ino, count", NULL);
	assert_probe(false, "f/a == \"/\"/", NULL, "f", false, NULL, "a == \"/\"");
}

static void functions_of_programs(void **state)
{
	assert_probe(true, "/bin/a:main", "/bin/a", "main", false, NULL, NULL);
	assert_probe(true, "libc.so.6:get*", "libc.so.6", "get*", false, NULL, NULL);
	assert_probe(true, "./a/b:f($arg1:string)/arg1 == \"x\"/", "./a/b", "f", false,
		     "$arg1:string", "arg1 == \"x\"");
}

static void with_call_stacks(void **state)
{
	_cleanup_(kft_plan_finish) struct kft_plan p = {};

	assert_int_equal(kft_plan_add_probe(&p, false, "f//stack", NULL), 0);
	assert_int_equal(kft_plan_add_probe(&p, true,
					    "/bin/a:f%return/x < \"/stack\"/stack", NULL),
			 0);
	assert_int_equal(kft_plan_add_probe(&p, false, "f/x == \"/stack\"/", NULL), 0);
	assert_true(p.probes[0].stack && p.probes[1].stack && !p.probes[2].stack);
	assert_null(p.probes[0].filter);
	assert_string_equal(p.probes[1].filter, "x < \"/stack\"");
	assert_string_equal(p.probes[2].filter, "x == \"/stack\"");
}

static void what_is_no_probe_is_refused(void **state)
{
	static const char *const kernel[] = {
		"",    "%return", "f(",	     "f()",	"f(a", "f(a)b", "f/", "f//",
		"f/a", "f/stack", "f//stac", "f%retur", "f*",  "a:f",	"f g"};
	static const char *const user[] = {"f", "a:", ":f", "a:%return", "a:f(b"};
	_cleanup_(kft_plan_finish) struct kft_plan p = {};
	struct kft_err e = {};

	for (size_t i = 0; i < ARRAY_SIZE(kernel); i++)
		assert_int_equal(kft_plan_add_probe(&p, false, kernel[i], &e), -EINVAL);
	for (size_t i = 0; i < ARRAY_SIZE(user); i++)
		assert_int_equal(kft_plan_add_probe(&p, true, user[i], &e), -EINVAL);
	assert_non_null(strstr(e.msg, "not a probe: 'a:f(b'"));
	assert_int_equal(p.n_probes, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(functions_of_the_kernel),
	cmocka_unit_test(functions_of_programs),
	cmocka_unit_test(with_call_stacks),
	cmocka_unit_test(what_is_no_probe_is_refused),
};

T_MAIN(tests)
