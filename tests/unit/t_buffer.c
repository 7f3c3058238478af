// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "tracefs/control/buffer.h"
#include "fake.h"

#define ONLINE "sys/devices/system/cpu/online"

static int buffer_set(struct fake *f, uint64_t bytes, struct kft_err *e)
{
	struct kft_ledger ledger = {.host = f->host, .dir_fd = -1};
	struct kft_tracefs_dir place = {.ledger = &ledger, .fd = f->host->root_fd};

	return kft_buffer_set(&place, bytes, e);
}

static void the_default_scales_with_memory(void **state)
{
	struct fake *f = *state;

	assert_int_equal(kft_buffer_default_bytes(f->host), 1408 << 10);
	fake_write(f, ONLINE, "0-1\n");
	fake_write(f, "proc/meminfo", "MemTotal:       24684092 kB\n");
	assert_int_equal(kft_buffer_default_bytes(f->host), 32 << 20);
	fake_write(f, ONLINE, "0-255\n");
	assert_int_equal(kft_buffer_default_bytes(f->host), 1542755);
	fake_write(f, "proc/meminfo", "MemTotal:       1073741824 kB\n");
	assert_int_equal(kft_buffer_default_bytes(f->host), 8 << 20);
	fake_write(f, ONLINE, "0-1\n");
	fake_write(f, "proc/meminfo", "MemTotal:       1048576 kB\n");
	assert_int_equal(kft_buffer_default_bytes(f->host), 8 << 20);
	fake_write(f, "proc/meminfo", "MemTotal:       65536 kB\n");
	assert_int_equal(kft_buffer_default_bytes(f->host), 1408 << 10);
}

static void sizes_are_rounded_up(void **state)
{
	struct fake *f = *state;

	fake_write(f, "buffer_size_kb", "1410\n");
	assert_int_equal(buffer_set(f, 1024 * 64 + 1, NULL), 0);
	assert_string_equal(fake_read(f, "buffer_size_kb"), "65");
	assert_int_equal(buffer_set(f, 0, NULL), 0);
	assert_string_equal(fake_read(f, "buffer_size_kb"), "1408");
}

static void more_than_there_is_is_not_asked_for(void **state)
{
	struct fake *f = *state;
	struct kft_err e;

	fake_write(f, ONLINE, "0-3\n");
	fake_write(f, "proc/meminfo", "MemTotal: 4096 kB\nMemAvailable:  2048 kB\n");
	fake_write(f, "buffer_size_kb", "1410\n");
	assert_int_equal(buffer_set(f, 1 << 20, &e), -ENOMEM);
	assert_string_equal(e.msg, "no memory for a buffer of 1.0 MB for each of 4 CPUs");
	assert_string_equal(fake_read(f, "buffer_size_kb"), "1410\n");
	assert_int_equal(buffer_set(f, UINT64_MAX, &e), -ENOMEM);
}

static void what_the_kernel_gave_is_checked(void **state)
{
	struct fake *f = *state;
	struct kft_err e;

	/* The file has no number if the sizes of CPUs differ, which is right if a CPU is offline. */
	fake_link(f, "buffer_size_kb", "/dev/null");
	assert_int_equal(buffer_set(f, 4096, NULL), 0);
	fake_remove(f, "buffer_size_kb");
	assert_int_equal(buffer_set(f, 4096, &e), -ENOENT);
	assert_string_equal(e.msg, "cannot set the size of the buffers: No such file or "
				   "directory");
}

#define FAKE_TEST(fn) cmocka_unit_test_setup_teardown(fn, fake_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(the_default_scales_with_memory),
	FAKE_TEST(sizes_are_rounded_up),
	FAKE_TEST(more_than_there_is_is_not_asked_for),
	FAKE_TEST(what_the_kernel_gave_is_checked),
};

T_MAIN(tests)
