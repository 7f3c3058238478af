// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "model/overruns.h"

static uint32_t feed(struct kft_overruns *o, uint64_t stack, uint32_t depth,
		     uint32_t so_far)
{
	uint32_t n;

	assert_int_equal(kft_overruns_feed(o, stack, depth, so_far, &n), 0);
	return n;
}

static void each_call_is_counted_once(void **state)
{
	struct kft_overruns o = {};

	assert_int_equal(feed(&o, 7, 49, 150), 150);
	assert_int_equal(feed(&o, 7, 48, 150), 0);
	assert_int_equal(feed(&o, 8, 0, 0), 0);
	assert_int_equal(feed(&o, 7, 49, 160), 10);
	assert_int_equal(feed(&o, 8, 3, 2), 2);
	assert_int_equal(o.count, 162);
	kft_overruns_finish(&o);
}

static void those_before_the_trace_are_not(void **state)
{
	struct kft_overruns o = {};

	assert_int_equal(feed(&o, 7, 3, 150), 0);
	assert_int_equal(feed(&o, 7, 3, 151), 1);
	assert_int_equal(o.count, 1);
	kft_overruns_finish(&o);
}

static void a_pid_is_used_again(void **state)
{
	struct kft_overruns o = {};

	assert_int_equal(feed(&o, 7, 40, 150), 150);
	assert_int_equal(feed(&o, 7, 1, 0), 0);
	assert_int_equal(feed(&o, 7, 40, 3), 3);
	kft_overruns_finish(&o);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_call_is_counted_once),
	cmocka_unit_test(those_before_the_trace_are_not),
	cmocka_unit_test(a_pid_is_used_again),
};

T_MAIN(tests)
