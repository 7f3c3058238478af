// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include "tracefs/control/instance.h"
#include "fake.h"

#define INSTANCES FAKE_TRACEFS "/instances"

static void one_is_made_locked_and_removed(void **state)
{
	struct fake *f = *state;
	struct kft_instance i;

	assert_int_equal(kft_instance_create(f->host, "mine", &i, NULL), 0);
	assert_string_equal(i.name, "kft-mine");
	assert_true(fake_exists(f, INSTANCES "/kft-mine/tracing_on"));
	int again = openat(i.instances_fd, i.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(flock(again, LOCK_EX | LOCK_NB), -1);
	assert_int_equal(errno, EWOULDBLOCK);
	(void)close(again);
	assert_int_equal(kft_instance_remove(&i, NULL), 0);
	assert_int_equal(fake_instances(f), 0);
	assert_int_equal(kft_instance_remove(&i, NULL), 0);
}

static void unnamed_ones_are_unique(void **state)
{
	struct fake *f = *state;
	struct kft_instance a, b;

	assert_int_equal(kft_instance_create(f->host, NULL, &a, NULL), 0);
	assert_int_equal(kft_instance_create(f->host, NULL, &b, NULL), 0);
	assert_string_not_equal(a.name, b.name);
	assert_int_equal(strncmp(a.name, "kft-", 4), 0);
	assert_int_equal(fake_instances(f), 2);
	assert_int_equal(kft_instance_remove(&a, NULL), 0);
	assert_int_equal(kft_instance_remove(&b, NULL), 0);
	assert_int_equal(fake_instances(f), 0);
}

static void a_living_session_is_not_taken_over(void **state)
{
	struct fake *f = *state;
	struct kft_instance a, b;
	struct kft_err e;

	assert_int_equal(kft_instance_create(f->host, "x", &a, NULL), 0);
	assert_int_equal(kft_instance_create(f->host, "x", &b, &e), -EBUSY);
	assert_string_equal(e.msg, "session 'x' is already recording");
	assert_true(e.hint[0] != '\0');
	assert_int_equal(kft_instance_remove(&a, NULL), 0);
}

static void what_a_dead_session_left_is_replaced(void **state)
{
	struct fake *f = *state;
	struct kft_instance i;

	fake_write(f, INSTANCES "/kft-x/tracing_on", "1\n");
	fake_write(f, INSTANCES "/kft-x/old", "");
	assert_int_equal(kft_instance_create(f->host, "x", &i, NULL), 0);
	assert_false(fake_exists(f, INSTANCES "/kft-x/old"));
	assert_int_equal(kft_instance_remove(&i, NULL), 0);
}

static void a_busy_one_stays_stopped(void **state)
{
	struct fake *f = *state;
	struct kft_instance i;
	struct kft_err e;

	assert_int_equal(kft_instance_create(f->host, "x", &i, NULL), 0);
	fake_write(f, INSTANCES "/kft-x/events/enable", "1\n");
	fake_write(f, INSTANCES "/kft-x/busy", "");
	assert_int_equal(kft_instance_remove(&i, &e), -EBUSY);
	assert_non_null(strstr(e.msg, "'kft-x' stays"));
	assert_string_equal(fake_read(f, INSTANCES "/kft-x/tracing_on"), "0");
	assert_string_equal(fake_read(f, INSTANCES "/kft-x/events/enable"), "0\n");
}

static void names_stay_inside(void **state)
{
	struct fake *f = *state;
	struct kft_instance i;
	char longest[KFT_INSTANCE_NAME_MAX];

	assert_int_equal(kft_instance_create(f->host, "../x", &i, NULL), -EINVAL);
	memset(longest, 'a', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(kft_instance_create(f->host, longest, &i, NULL), -EINVAL);
	assert_int_equal(fake_instances(f), 0);
}

#define FAKE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(one_is_made_locked_and_removed),
	FAKE_TEST(unnamed_ones_are_unique),
	FAKE_TEST(a_living_session_is_not_taken_over),
	FAKE_TEST(what_a_dead_session_left_is_replaced),
	FAKE_TEST(a_busy_one_stays_stopped),
	FAKE_TEST(names_stay_inside),
};

T_MAIN(tests)
