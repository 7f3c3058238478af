// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/spool.h"
#include "tmpdir.h"

/* Returns a pipe that contains text and has no writer any more. */
static int pipe_with(const char *text)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(kft_write_all(fds[1], text, strlen(text)), 0);
	assert_int_equal(close(fds[1]), 0);
	return fds[0];
}

static void what_comes_once_can_be_read_anywhere(void **state)
{
	struct tmpdir *d = *state;
	_cleanup_close_ int in = pipe_with(" and a tail");
	_cleanup_close_ int fd = -1;
	struct kft_err e = {};
	struct stat st;
	char text[16] = {};

	assert_int_equal(setenv("TMPDIR", d->root, 1), 0);
	assert_int_equal(kft_spool_input(in, "head", 4, &fd, &e), 0);
	assert_int_equal(kft_pread_all(fd, text, 15, 0), 0);
	assert_string_equal(text, "head and a tail");
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 15);
	/* The file has no name, so no other process can open it and it leaves nothing behind. */
	assert_int_equal(st.st_nlink, 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(tmpdir_count(d), 0);
}

static void a_directory_that_is_none_is_named(void **state)
{
	struct tmpdir *d = *state;
	struct kft_err e = {};
	int fd = -1;

	assert_int_equal(setenv("TMPDIR", tmpdir_path(d, "none"), 1), 0);
	assert_int_equal(kft_spool_create(&fd, &e), -ENOENT);
	assert_non_null(strstr(e.msg, "/none'"));
	assert_non_null(strstr(e.hint, "TMPDIR"));
}

static void a_full_disk_is_told(void **state)
{
	struct tmpdir *d = *state;
	_cleanup_close_ int in = pipe_with("more than there is room for");
	const struct rlimit small = {.rlim_cur = 10, .rlim_max = RLIM_INFINITY};
	struct rlimit before;
	struct kft_err e = {};
	int fd = -1;

	assert_int_equal(setenv("TMPDIR", d->root, 1), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	int r = kft_spool_input(in, "", 0, &fd, &e);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(r, -EFBIG);
	assert_int_equal(fd, -1);
	assert_non_null(strstr(e.msg, "cannot write a temporary file in"));
	assert_non_null(strstr(e.msg, d->root));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(what_comes_once_can_be_read_anywhere,
					tmpdir_setup, tmpdir_teardown),
	cmocka_unit_test_setup_teardown(a_directory_that_is_none_is_named, tmpdir_setup,
					tmpdir_teardown),
	cmocka_unit_test_setup_teardown(a_full_disk_is_told, tmpdir_setup,
					tmpdir_teardown),
};

T_MAIN(tests)
