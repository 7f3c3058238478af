// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include <kft/reset.h>

#include "tracefs/control/instance.h"
#include "fake.h"

#define INSTANCES FAKE_TRACEFS "/instances"

static const struct kft_reset_item *find(const struct kft_reset_report *r,
					 const char *name)
{
	for (size_t i = 0; i < r->len; i++)
		if (strcmp(r->items[i].name, name) == 0)
			return &r->items[i];
	fail_msg("%s is not in the report", name);
	return NULL;
}

static void only_dead_ones_of_kft_go(void **state)
{
	struct fake *f = *state;
	struct kft_instance alive;
	struct kft_reset_report r;

	assert_int_equal(kft_instance_create(f->host, "alive", &alive, NULL), 0);
	fake_write(f, INSTANCES "/kft-dead/tracing_on", "1\n");
	fake_write(f, INSTANCES "/kft-held/tracing_on", "1\n");
	fake_write(f, INSTANCES "/kft-held/busy", "");
	fake_write(f, INSTANCES "/somebody/tracing_on", "1\n");
	fake_write(f, INSTANCES "/kft+kept/tracing_on", "1\n");

	assert_int_equal(kft_reset(f->host, &r, NULL), 0);
	assert_int_equal(r.len, 3);
	assert_int_equal(find(&r, "kft-dead")->state, KFT_RESET_REMOVED);
	assert_int_equal(find(&r, "kft-alive")->state, KFT_RESET_ALIVE);
	assert_int_equal(find(&r, "kft-held")->state, KFT_RESET_BUSY);
	assert_int_equal(find(&r, "kft-held")->code, -EBUSY);
	kft_reset_report_finish(&r);

	assert_false(fake_exists(f, INSTANCES "/kft-dead"));
	assert_string_equal(fake_read(f, INSTANCES "/kft-alive/tracing_on"), "1\n");
	assert_string_equal(fake_read(f, INSTANCES "/kft-held/tracing_on"), "0");
	assert_string_equal(fake_read(f, INSTANCES "/somebody/tracing_on"), "1\n");
	assert_string_equal(fake_read(f, INSTANCES "/kft+kept/tracing_on"), "1\n");
	assert_int_equal(kft_instance_remove(&alive, NULL), 0);
}

static void without_instances_there_is_nothing(void **state)
{
	struct fake *f = *state;
	struct kft_reset_report r;
	struct kft_err e;

	assert_int_equal(kft_reset(f->host, &r, NULL), 0);
	assert_int_equal(r.len, 0);
	kft_reset_report_finish(&r);
	fake_remove(f, INSTANCES);
	assert_int_equal(kft_reset(f->host, &r, &e), -ENOENT);
}

#define FAKE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(only_dead_ones_of_kft_go),
	FAKE_TEST(without_instances_there_is_nothing),
};

T_MAIN(tests)
