// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>

#include "tracefs/control/setup.h"
#include "fake.h"

static int setup(struct fake *f, const struct kft_plan *plan, struct kft_err *e)
{
	_cleanup_close_ int fd = openat(f->host->root_fd, "template",
					O_PATH | O_DIRECTORY | O_CLOEXEC);

	struct kft_ledger ledger = {.host = f->host, .dir_fd = -1};
	struct kft_tracefs_dir place = {.ledger = &ledger, .fd = fd};

	return kft_setup(&place, plan, e);
}

static void defaults_are_for_merging_and_draining(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {};

	fake_template_write(f, "options/stacktrace", "1\n");
	assert_int_equal(setup(f, &plan, NULL), 0);
	assert_string_equal(fake_read(f, "template/tracing_on"), "0");
	assert_string_equal(fake_read(f, "template/trace_clock"), "mono");
	assert_string_equal(fake_read(f, "template/options/overwrite"), "0");
	assert_string_equal(fake_read(f, "template/options/record-tgid"), "1");
	assert_string_equal(fake_read(f, "template/options/stacktrace"), "0");
	assert_string_equal(fake_read(f, "template/options/userstacktrace"), "0\n");
}

static void a_plan_is_followed(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {.overwrite = true, .buffer_bytes = 128 << 10};

	assert_int_equal(kft_plan_set_clock(&plan, "x86-tsc", NULL), 0);
	assert_int_equal(setup(f, &plan, NULL), 0);
	assert_string_equal(fake_read(f, "template/trace_clock"), "x86-tsc");
	assert_string_equal(fake_read(f, "template/options/overwrite"), "1\n");
	assert_string_equal(fake_read(f, "template/buffer_size_kb"), "128");
	kft_plan_finish(&plan);
}

static void old_kernels_have_less(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {};

	fake_template_write(f, "trace_clock", "[local] global counter\n");
	fake_template_remove(f, "options/record-tgid");
	fake_template_remove(f, "options/userstacktrace");
	assert_int_equal(setup(f, &plan, NULL), 0);
	assert_string_equal(fake_read(f, "template/trace_clock"), "global");
	fake_template_write(f, "trace_clock", "[local]\n");
	assert_int_equal(setup(f, &plan, NULL), 0);
	assert_string_equal(fake_read(f, "template/trace_clock"), "[local]\n");
}

static void unknown_clocks_are_named(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {};
	struct kft_err e;

	assert_int_equal(kft_plan_set_clock(&plan, "mon", NULL), 0);
	assert_int_equal(setup(f, &plan, &e), -EINVAL);
	assert_string_equal(e.msg, "this kernel has no trace clock 'mon'");
	assert_string_equal(e.hint, "it has: [local] global mono boot x86-tsc");
	kft_plan_finish(&plan);
}

static void each_step_can_fail(void **state)
{
	static const char *const vital[] = {"tracing_on", "trace_clock",
					    "options/overwrite", "buffer_size_kb"};
	struct fake *f = *state;
	struct kft_plan plan = {.overwrite = false};
	struct kft_err e;

	for (size_t i = 0; i < ARRAY_SIZE(vital); i++) {
		fake_template_remove(f, vital[i]);
		assert_int_equal(setup(f, &plan, &e), -ENOENT);
		assert_int_equal(e.code, -ENOENT);
		fake_template_write(f, vital[i], "");
	}
}

static void the_guard_is_optional(void **state)
{
	struct fake *f = *state;
	_cleanup_close_ int dir = openat(f->host->root_fd, "template",
					 O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct kft_ledger ledger = {.host = f->host, .dir_fd = -1};
	struct kft_tracefs_dir place = {.ledger = &ledger, .fd = dir};
	int fd = kft_setup_guard(&place);

	assert_true(fd >= 0);
	assert_string_equal(fake_read(f, "template/options/disable_on_free"), "1");
	(void)close(fd);
	fake_template_remove(f, "free_buffer");
	assert_int_equal(kft_setup_guard(&place), -1);
}

#define FAKE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(defaults_are_for_merging_and_draining),
	FAKE_TEST(a_plan_is_followed),
	FAKE_TEST(old_kernels_have_less),
	FAKE_TEST(unknown_clocks_are_named),
	FAKE_TEST(each_step_can_fail),
	FAKE_TEST(the_guard_is_optional),
};

T_MAIN(tests)
