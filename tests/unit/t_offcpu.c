// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "derive/calls/offcpu.h"

static struct kft_offcpu off;

static int setup(void **state)
{
	off = (struct kft_offcpu){.keep_spans = true};
	return 0;
}

static int teardown(void **state)
{
	kft_offcpu_finish(&off);
	return 0;
}

static void to(uint64_t ts, int prev, int next)
{
	assert_int_equal(kft_offcpu_switch(&off, ts, prev, next), 0);
}

static void seen(uint64_t ts, int pid)
{
	assert_int_equal(kft_offcpu_seen(&off, pid, ts), 0);
}

static void time_between_leaving_and_coming_back(void **state)
{
	assert_false(off.any);
	seen(5, 1);
	to(10, 1, 2);
	assert_true(off.any);
	to(30, 2, 1);
	to(40, 1, 0);
	to(45, 0, 1);
	assert_int_equal(kft_offcpu_total(&off, 1, 50), 25);
	assert_int_equal(kft_offcpu_total(&off, 9, 50), 0);
	to(60, 1, 0);
	assert_int_equal(kft_offcpu_total(&off, 1, 65), 30);
}

static void any_part_of_the_past(void **state)
{
	seen(5, 1);
	to(10, 1, 2);
	to(30, 2, 1);
	to(40, 1, 2);
	to(45, 2, 1);
	assert_int_equal(kft_offcpu_between(&off, 1, 0, 100), 25);
	assert_int_equal(kft_offcpu_between(&off, 1, 0, 10), 0);
	assert_int_equal(kft_offcpu_between(&off, 1, 12, 20), 8);
	assert_int_equal(kft_offcpu_between(&off, 1, 20, 42), 12);
	assert_int_equal(kft_offcpu_between(&off, 1, 30, 40), 0);
	assert_int_equal(kft_offcpu_between(&off, 1, 42, 42), 0);
	assert_int_equal(kft_offcpu_between(&off, 9, 0, 100), 0);
}

/* Switches are not recorded from the start, or get lost. */
static void a_task_that_just_comes_was_off_since_it_was_seen(void **state)
{
	to(20, 0, 1);
	assert_int_equal(kft_offcpu_between(&off, 1, 5, 30), 15);
	seen(25, 1);
	to(60, 2, 1);
	assert_int_equal(kft_offcpu_between(&off, 1, 20, 100), 35);
}

static void one_switch_recorded_twice_counts_once(void **state)
{
	seen(0, 1);
	to(10, 1, 2);
	to(10, 1, 2);
	to(30, 2, 1);
	to(30, 2, 1);
	assert_int_equal(kft_offcpu_total(&off, 1, 40), 20);
	assert_int_equal(kft_offcpu_between(&off, 1, 0, 40), 20);
}

/* Between the record of a switch and the switch itself the task still runs. */
static void being_seen_while_off_changes_nothing(void **state)
{
	seen(0, 1);
	to(10, 1, 2);
	seen(11, 1);
	to(30, 2, 1);
	assert_int_equal(kft_offcpu_total(&off, 1, 40), 20);
}

static void idle_tasks_are_not_looked_at(void **state)
{
	to(10, 0, 1);
	to(20, 1, 0);
	assert_int_equal(kft_offcpu_total(&off, 0, 100), 0);
	assert_int_equal(off.tasks.len, 1);
}

#define with_off(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	with_off(time_between_leaving_and_coming_back),
	with_off(any_part_of_the_past),
	with_off(a_task_that_just_comes_was_off_since_it_was_seen),
	with_off(one_switch_recorded_twice_counts_once),
	with_off(being_seen_while_off_changes_nothing),
	with_off(idle_tasks_are_not_looked_at),
};

T_MAIN(tests)
