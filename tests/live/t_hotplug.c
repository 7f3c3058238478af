// SPDX-License-Identifier: GPL-2.0-only
#include "live.h"

#include <fcntl.h>
#include <stdio.h>

#include "base/io.h"

#define SWITCH "/sys/devices/system/cpu/cpu1/online"
#define CALLS  20000

static int set_online(bool on)
{
	return kft_write_at(AT_FDCWD, SWITCH, 0, on ? "1" : "0", 1);
}

/* Some kernels, and most containers, do not let a CPU be switched off. */
static bool can_switch(void)
{
	if (set_online(false) < 0)
		return false;
	return set_online(true) == 0;
}

static void count_on_cpu1(void *arg, const struct call *c)
{
	*(uint64_t *)arg += c->cpu == 1;
}

/* Calls on CPU 1, on CPU 0 while CPU 1 is offline, and on CPU 1 again are all recorded. */
static void nothing_is_lost_when_a_cpu_goes_and_comes(void **state)
{
	struct hammer all[] = {
		{.count = CALLS, .cpu = 1},
		{.count = CALLS, .cpu = 0},
		{.count = CALLS, .cpu = 1},
	};
	uint64_t on_cpu1 = 0;
	struct live l;

	live_init(&l, "hotplug");
	live_hammers_prepare(&l, all, 3);
	live_start(&l);
	live_hammers_run(&all[0], 1);
	assert_int_equal(set_online(false), 0);
	live_hammers_run(&all[1], 1);
	int r = set_online(true);
	live_hammers_run(&all[2], 1);
	assert_int_equal(r, 0);
	live_stop(&l);
	assert_int_equal(live_calls(&l, count_on_cpu1, &on_cpu1), 3 * CALLS);
	assert_true(on_cpu1 >= 2 * CALLS);
	assert_int_equal(l.sink.unread, 0);
	assert_int_equal(l.sink.lost, 0);
	live_finish(&l);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(nothing_is_lost_when_a_cpu_goes_and_comes),
};

int main(void)
{
	live_need_tracefs();
	if (!can_switch()) {
		(void)fprintf(stderr, "skipped: CPU 1 cannot be switched off and on\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
