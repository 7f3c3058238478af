// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "tracefs/control/control_file.h"
#include "fake.h"

static void values_are_compared_as_words(void **state)
{
	assert_true(kft_control_file_says("1", "1"));
	assert_false(kft_control_file_says("10", "1"));
	assert_true(kft_control_file_says("[local] global mono", "local"));
	assert_false(kft_control_file_says("[local] global mono", "mono"));
	assert_false(kft_control_file_says("mono [mono_raw]", "mono"));
	assert_false(kft_control_file_says("", "1"));
}

static void only_changes_are_written(void **state)
{
	struct fake *f = *state;
	int root = f->host->root_fd;

	fake_write(f, "size", "1410\n");
	assert_int_equal(kft_control_file_set(root, "size", "1410"), 0);
	assert_string_equal(fake_read(f, "size"), "1410\n");
	assert_int_equal(kft_control_file_set_u64(root, "size", 64), 0);
	assert_string_equal(fake_read(f, "size"), "64");
	/* Even root cannot write to this file: a needless write would fail. */
	fake_link(f, "fixed", "/proc/sys/kernel/ostype");
	assert_int_equal(kft_control_file_set(root, "fixed", "Linux"), 0);
	assert_true(kft_control_file_set(root, "fixed", "Minix") < 0);
}

static void missing_files_matter(void **state)
{
	struct fake *f = *state;

	assert_int_equal(kft_control_file_set(f->host->root_fd, "none", "1"), -ENOENT);
}

static void numbers_are_read(void **state)
{
	struct fake *f = *state;
	int root = f->host->root_fd;
	uint64_t v = 3;

	fake_write(f, "a", "1410 (expanded: 1408)\n");
	assert_int_equal(kft_control_file_read_u64(root, "a", &v), 0);
	assert_int_equal(v, 1410);
	fake_write(f, "a", "X\n");
	assert_int_equal(kft_control_file_read_u64(root, "a", &v), -EINVAL);
	fake_write(f, "a", "-1\n");
	assert_int_equal(kft_control_file_read_u64(root, "a", &v), -EINVAL);
	assert_int_equal(v, 1410);
}

#define FAKE_TEST(fn) cmocka_unit_test_setup_teardown(fn, fake_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(values_are_compared_as_words),
	FAKE_TEST(only_changes_are_written),
	FAKE_TEST(missing_files_matter),
	FAKE_TEST(numbers_are_read),
};

T_MAIN(tests)
