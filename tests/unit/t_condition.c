// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "base/macro.h"
#include "base/strbuf.h"
#include "watch/condition.h"

static void assert_condition(const char *text, const char *want)
{
	_cleanup_(kft_condition_finish) struct kft_condition c = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf got = {};

	assert_int_equal(kft_condition_parse(text, &c, NULL), 0);
	kft_strbuf_addf(&got, "%d %s /%s/ key %s task %s %llu:", c.when,
			c.what ? c.what : "-", c.filter ? c.filter : "-",
			c.key ? c.key : "-", c.task ? c.task : "-",
			(unsigned long long)c.ns);
	kft_vec_for_each(&c.actions, a)
		kft_strbuf_addf(&got, " %d(%s)", a->kind, a->text ? a->text : "");
	assert_string_equal(kft_strbuf_cstr(&got), want);
}

static void conditions_of_each_kind(void **state)
{
	assert_condition("irq:24 > 5ms do snapshot",
			 "5 irq /-/ key 24 task - 5000000: 0()");
	assert_condition("sched:audio wait > 2ms do snapshot",
			 "5 task /-/ key - task audio 2000000: 0()");
	assert_condition("syscall:fsync > 0.1 do stop",
			 "5 syscall /-/ key fsync task - 100000000: 1()");
	assert_condition("softirq > 1ms do pause",
			 "5 softirq /-/ key - task - 1000000: 2()");
	assert_condition(
		"sched:sched_switch/prev_prio > 5 || a == \"b\"/ do resume",
		"0 sched:sched_switch /prev_prio > 5 || a == \"b\"/ key - task - 0: 3()");
	assert_condition("enter:vfs_read do snapshot",
			 "1 vfs_read /-/ key - task - 0: 0()");
	assert_condition("exit:vfs_read do snapshot",
			 "2 vfs_read /-/ key - task - 0: 0()");
	assert_condition("mark:frame > 16ms do snapshot",
			 "5 mark /-/ key frame task - 16000000: 0()");
	assert_condition("a:b/c == \" do \"/ do snapshot",
			 "0 a:b /c == \" do \"/ key - task - 0: 0()");
	assert_condition("mark:bad frame do snapshot",
			 "3 bad frame /-/ key - task - 0: 0()");
	assert_condition("10s do stop", "4 - /-/ key - task - 10000000000: 1()");
	assert_condition("no sched:sched_switch/a==1/ for 5s do snapshot",
			 "6 sched:sched_switch /a==1/ key - task - 5000000000: 0()");
}

static void actions_follow_one_another(void **state)
{
	assert_condition(
		"irq > 1s do mark it came ,snapshot, stop,exec a, b; c",
		"5 irq /-/ key - task - 1000000000: 4(it came) 0() 1() 6(a, b; c)");
	assert_condition("irq:24 > 1s do mark, stop",
			 "5 irq /-/ key 24 task - 1000000000: 4(irq:24 > 1s) 1()");
	assert_condition("mark:slow do set +irq, set  -f:net ,snapshot",
			 "3 slow /-/ key - task - 0: 5(+irq) 5(-f:net) 0()");
}

static void what_is_no_condition_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"irq > 5ms",
		"irq > 5ms do",
		"irq > 5ms do ",
		"irq > 5ms do nothing",
		"irq > 5ms do snapshot stop",
		"irq > 5ms do snapshot,",
		"irq > 5ms do set",
		"irq > 5ms do set irq",
		"irq > 5ms do set +",
		"irq > 5ms do set,stop",
		"irq > 5ms do exec ",
		"irq > do snapshot",
		"irq > 0 do snapshot",
		"irq: > 5ms do snapshot",
		"irq wait > 5ms do snapshot",
		"sched:* do snapshot",
		"sched:sched_switch/ do snapshot",
		"sched:sched_switch// do snapshot",
		":x do snapshot",
		"enter: do snapshot",
		"no sched:sched_switch do snapshot",
		"no sched:sched_switch for x do snapshot",
		"soon do snapshot",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct kft_condition c = {};
		struct kft_err e = {};

		assert_int_equal(kft_condition_parse(texts[i], &c, &e), -EINVAL);
		assert_non_null(strstr(e.msg, "not a condition: '"));
		assert_null(c.text);
	}
}

static void what_is_wrong_is_said(void **state)
{
	struct kft_condition c = {};
	struct kft_err e = {};

	assert_int_equal(kft_condition_parse("irq > 5ms do nothing", &c, &e), -EINVAL);
	assert_non_null(strstr(e.hint, "ACTIONS behind do"));
	assert_int_equal(kft_condition_parse("irk 5ms do stop", &c, &e), -EINVAL);
	assert_non_null(strstr(e.hint, "write SYSTEM:EVENT"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_of_each_kind),
		cmocka_unit_test(actions_follow_one_another),
		cmocka_unit_test(what_is_no_condition_is_refused),
		cmocka_unit_test(what_is_wrong_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
