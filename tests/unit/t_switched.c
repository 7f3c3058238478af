// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "tracefs/detached/switched.h"

static void what_is_made_at_the_start_cannot_be_switched(void **state)
{
	_cleanup_(kft_plan_finish) struct kft_plan plan = {};
	struct kft_err e = {};

	assert_int_equal(kft_plan_add_event(&plan, "sched:sched_switch", NULL, NULL), 0);
	assert_int_equal(kft_switched_check(&plan, "own", &e), 0);
	assert_int_equal(kft_plan_add_probe(&plan, false, "vfs_read", NULL), 0);
	assert_int_equal(kft_switched_check(&plan, "own", &e), -EOPNOTSUPP);
	assert_non_null(strstr(e.msg, "set 'own' has probes or functions"));
}

/* The file of changes has one change per line. */
static void names_have_no_line_ends(void **state)
{
	const struct kft_plan plan = {};
	struct kft_err e = {};

	assert_int_equal(kft_switched_check(&plan, "a\n+irq", &e), -EINVAL);
	assert_non_null(strstr(e.msg, "no line end"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_made_at_the_start_cannot_be_switched),
		cmocka_unit_test(names_have_no_line_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
