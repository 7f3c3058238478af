// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <elf.h>
#include <errno.h>

#include "tracefs/sources/uprobe_args.h"

static struct kft_err e;

static int add(const char *text, bool at_return, uint16_t machine, struct kft_strbuf *sb)
{
	e = (struct kft_err){};
	return kft_uprobe_arg(text, at_return, machine, sb, &e);
}

static void assert_arg(const char *text, bool at_return, const char *want)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(add(text, at_return, EM_X86_64, &sb), 0);
	assert_string_equal(kft_strbuf_cstr(&sb), want);
}

static void numbers_become_registers(void **state)
{
#ifndef __x86_64__
	skip();
#endif
	assert_arg("$arg1", false, " arg1=%di:x64");
	assert_arg("$arg4:s32", false, " arg4=%cx:s32");
	assert_arg("len=$arg6:u16", false, " len=%r9:u16");
	assert_arg("path=$arg2:string", false, " path=+0(%si):string");
	assert_arg("$retval", true, " retval=$retval:x64");
	assert_arg("rc=$retval:s32", true, " rc=$retval:s32");
}

static void what_is_no_argument_is_refused(void **state)
{
	static const char *const texts[] = {
		"",	  "n",	    "$arg",	  "$arg1x",    "$arg1:",  "=$arg1", "a=b",
		"$arg1 ", "$stack", "$arg1:s32;", "a-b=$arg1", "$retval", "%di"};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(add(texts[i], false, EM_X86_64, &sb), -EINVAL);
		assert_int_equal(sb.len, 0);
	}
	assert_int_equal(add("$arg1", true, EM_X86_64, &sb), -EINVAL);
	assert_non_null(strstr(e.msg, "only $retval is"));
	/* Arguments of an unsupported architecture, and numbers without a register. */
	assert_int_equal(add("$arg1", false, EM_NONE, &sb), -EINVAL);
	assert_int_equal(add("$arg0", false, EM_X86_64, &sb), -EINVAL);
	assert_int_equal(add("$arg9", false, EM_X86_64, &sb), -EINVAL);
	assert_non_null(strstr(e.msg, "in no register"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(numbers_become_registers),
	cmocka_unit_test(what_is_no_argument_is_refused),
};

T_MAIN(tests)
