// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "tracefs/control/cpus.h"
#include "fake.h"

static void they_are_numbers_in_order(void **state)
{
	struct fake *f = *state;
	struct kft_cpus cpus;

	fake_mkdir(f, "per_cpu/cpu10");
	fake_mkdir(f, "per_cpu/cpu2");
	fake_mkdir(f, "per_cpu/cpu0");
	fake_mkdir(f, "per_cpu/cpux");
	fake_mkdir(f, "per_cpu/cpu99999999999");
	fake_mkdir(f, "per_cpu/other");
	assert_int_equal(kft_cpus_list(f->host->root_fd, &cpus), 0);
	assert_int_equal(cpus.len, 3);
	assert_int_equal(cpus.data[0], 0);
	assert_int_equal(cpus.data[1], 2);
	assert_int_equal(cpus.data[2], 10);
	kft_vec_finish(&cpus);
}

static void none_is_an_error(void **state)
{
	struct fake *f = *state;
	struct kft_cpus cpus;

	assert_int_equal(kft_cpus_list(f->host->root_fd, &cpus), -ENOENT);
	fake_mkdir(f, "per_cpu");
	assert_int_equal(kft_cpus_list(f->host->root_fd, &cpus), -ENOENT);
}

#define ONLINE "sys/devices/system/cpu/online"

static void online_ones_are_counted(void **state)
{
	struct fake *f = *state;

	assert_int_equal(kft_cpus_online(f->host), 1);
	fake_write(f, ONLINE, "0-3,5,7-8\n");
	assert_int_equal(kft_cpus_online(f->host), 7);
	fake_write(f, ONLINE, "0\n");
	assert_int_equal(kft_cpus_online(f->host), 1);
	fake_write(f, ONLINE, "3-1,x,-,99999999\n");
	assert_int_equal(kft_cpus_online(f->host), 1);
	fake_write(f, ONLINE, "");
	assert_int_equal(kft_cpus_online(f->host), 1);
}

#define FAKE_TEST(fn) cmocka_unit_test_setup_teardown(fn, fake_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(they_are_numbers_in_order),
	FAKE_TEST(none_is_an_error),
	FAKE_TEST(online_ones_are_counted),
};

T_MAIN(tests)
