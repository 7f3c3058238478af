// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>

#include "tracefs/control/mount.h"
#include "fake.h"

/* Opens tracefs and says where it was found by a mark that the test left there. */
static void assert_found(struct fake *f, const char *mark)
{
	struct kft_err e;
	int fd;

	assert_int_equal(kft_tracefs_open(f->host, &fd, &e), 0);
	assert_int_equal(faccessat(fd, mark, F_OK, 0), 0);
}

static void usual_places_come_first(void **state)
{
	struct fake *f = *state;

	fake_write(f, "proc/self/mounts", "nodev /elsewhere tracefs rw 0 0\n");
	fake_write(f, "elsewhere/trace_clock", "[local]\n");
	fake_write(f, "sys/kernel/tracing/trace_clock", "[local]\n");
	fake_write(f, "sys/kernel/tracing/here", "");
	assert_found(f, "here");
	/* Found once, it is kept. */
	fake_remove(f, "sys/kernel/tracing");
	int fd;
	assert_int_equal(kft_tracefs_open(f->host, &fd, NULL), 0);
}

static void debugfs_has_it_too(void **state)
{
	struct fake *f = *state;

	fake_mkdir(f, "sys/kernel/tracing");
	fake_write(f, "sys/kernel/debug/tracing/trace_clock", "[local]\n");
	fake_write(f, "sys/kernel/debug/tracing/here", "");
	assert_found(f, "here");
}

static void mounts_are_searched_and_unescaped(void **state)
{
	struct fake *f = *state;

	fake_write(f, "proc/self/mounts",
		   "proc /proc proc rw 0 0\n"
		   "nodev /gone tracefs rw 0 0\n"
		   "short line\n\n"
		   "nodev /my\\040trace\\134fs tracefs rw 0 0\n");
	fake_write(f, "my trace\\fs/trace_clock", "[local]\n");
	fake_write(f, "my trace\\fs/here", "");
	assert_found(f, "here");
}

static void nowhere_is_an_error(void **state)
{
	struct fake *f = *state;
	struct kft_err e;
	int fd = -7;

	fake_mkdir(f, "sys/kernel/tracing");
	fake_write(f, "proc/self/mounts", "proc /proc proc rw 0 0\n");
	assert_int_equal(kft_tracefs_open(f->host, &fd, &e), -ENOENT);
	assert_string_equal(e.msg, "cannot open tracefs: No such file or directory");
	assert_int_equal(fd, -7);
}

#define FAKE_TEST(fn) cmocka_unit_test_setup_teardown(fn, fake_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(usual_places_come_first),
	FAKE_TEST(debugfs_has_it_too),
	FAKE_TEST(mounts_are_searched_and_unescaped),
	FAKE_TEST(nowhere_is_an_error),
};

T_MAIN(tests)
