// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include <kft/plan.h>

static void events_are_copied_in_order(void **state)
{
	struct kft_plan p = {};
	char pattern[] = "sched:sched_*";

	assert_int_equal(kft_plan_add_event(&p, pattern, " prev_pid == 3 \n", NULL), 0);
	pattern[0] = 'X';
	assert_int_equal(kft_plan_add_event(&p, "irq", NULL, NULL), 0);
	assert_int_equal(p.n_events, 2);
	assert_string_equal(p.events[0].pattern, "sched:sched_*");
	assert_string_equal(p.events[0].filter, "prev_pid == 3");
	assert_string_equal(p.events[1].pattern, "irq");
	assert_null(p.events[1].filter);
	kft_plan_finish(&p);
	assert_int_equal(p.n_events, 0);
}

static void impossible_patterns_are_refused(void **state)
{
	static const char *const bad[] = {"",	   ":",	    "a:",    ":b",
					  "a:b:c", "a b:c", "a:b\n", "a:\x7f"};
	struct kft_plan p = {};
	struct kft_err e;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		e = (struct kft_err){};
		assert_int_equal(kft_plan_add_event(&p, bad[i], NULL, &e), -EINVAL);
		assert_int_equal(e.code, -EINVAL);
	}
	assert_int_equal(kft_plan_add_event(&p, "a:b", "  ", &e), -EINVAL);
	assert_string_equal(e.msg, "the filter of 'a:b' is empty");
	assert_int_equal(p.n_events, 0);
	kft_plan_finish(&p);
}

static void pids_are_kept_once(void **state)
{
	struct kft_plan p = {};

	assert_int_equal(kft_plan_add_pid(&p, 7, NULL), 0);
	assert_int_equal(kft_plan_add_pid(&p, 8, NULL), 0);
	assert_int_equal(kft_plan_add_pid(&p, 7, NULL), 0);
	assert_int_equal(p.n_pids, 2);
	assert_int_equal(kft_plan_add_pid(&p, 0, NULL), -EINVAL);
	assert_int_equal(kft_plan_add_pid(&p, -1, NULL), -EINVAL);
	kft_plan_finish(&p);
}

static void names_are_safe_in_a_path(void **state)
{
	struct kft_plan p = {};
	char longest[66];
	struct kft_err e;

	memset(longest, 'a', sizeof(longest));
	longest[65] = '\0';
	assert_int_equal(kft_plan_set_name(&p, longest, &e), -EINVAL);
	longest[64] = '\0';
	assert_int_equal(kft_plan_set_name(&p, longest, &e), 0);
	assert_int_equal(kft_plan_set_name(&p, "db.slow-2_x", &e), 0);
	assert_int_equal(kft_plan_set_name(&p, "", &e), -EINVAL);
	assert_int_equal(kft_plan_set_name(&p, "../x", &e), -EINVAL);
	assert_int_equal(kft_plan_set_name(&p, "a b", &e), -EINVAL);
	assert_string_equal(p.name, "db.slow-2_x");
	kft_plan_finish(&p);
}

static void clocks_are_one_word(void **state)
{
	struct kft_plan p = {};

	assert_int_equal(kft_plan_set_clock(&p, "mono", NULL), 0);
	assert_int_equal(kft_plan_set_clock(&p, "x86-tsc", NULL), 0);
	assert_int_equal(kft_plan_set_clock(&p, "", NULL), -EINVAL);
	assert_int_equal(kft_plan_set_clock(&p, "mono raw", NULL), -EINVAL);
	assert_string_equal(p.clock, "x86-tsc");
	kft_plan_finish(&p);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(events_are_copied_in_order),
	cmocka_unit_test(impossible_patterns_are_refused),
	cmocka_unit_test(pids_are_kept_once),
	cmocka_unit_test(names_are_safe_in_a_path),
	cmocka_unit_test(clocks_are_one_word),
};

T_MAIN(tests)
