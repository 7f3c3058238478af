// SPDX-License-Identifier: GPL-2.0-only
#include "live.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Runs in a child with mounts that no other process sees. */
static void in_child(int (*run)(void))
{
	int status;

	(void)fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		_exit(run());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Records until it fails, which has to be soon, with `code`. */
static int record_until_full(struct live *l, int code)
{
	struct hammer h = {.count = 2000000, .cpu = -1};

	live_hammers_prepare(l, &h, 1);
	live_start(l);
	live_hammers_run(&h, 1);
	/* Events that are still in the buffer are drained within a second. */
	int r = kft_capture_wait(l->session, NULL, 0, 5000, &l->err);
	assert_int_equal(r, -EIO);
	assert_string_equal(live_instance_read(l->plan.name, "tracing_on"), "0\n");
	assert_int_equal(kft_capture_stop(l->session, &l->err), code);
	assert_non_null(strstr(l->err.msg, "cannot write the trace of CPU"));
	assert_int_equal(l->sink.ended, 0);
	return 0;
}

static int on_a_small_tmpfs(void)
{
	char dir[] = "/tmp/kft-full.XXXXXX";
	struct live l;

	live_init(&l, "full");
	assert_non_null(mkdtemp(dir));
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", dir, "tmpfs", 0, "size=1m") < 0) {
		(void)rmdir(dir);
		return 1;
	}
	l.sink.dir = dir;
	(void)record_until_full(&l, -ENOSPC);
	/* The events that fitted into the file are in it. */
	assert_true(test_sink_bytes(&l.sink) > 900000);
	live_finish(&l);
	(void)umount2(dir, MNT_DETACH);
	(void)rmdir(dir);
	return 0;
}

/* SIGXFSZ must not kill the recorder. */
static int with_a_limit_of_file_size(void)
{
	struct rlimit limit = {.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
	struct live l;

	live_init(&l, "limit");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	(void)record_until_full(&l, -EFBIG);
	live_finish(&l);
	return 0;
}

static void a_full_disk_ends_the_recording(void **state)
{
	live_need_private_mounts();
	in_child(on_a_small_tmpfs);
}

static void so_does_a_file_that_gets_too_big(void **state)
{
	in_child(with_a_limit_of_file_size);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_full_disk_ends_the_recording),
	cmocka_unit_test(so_does_a_file_that_gets_too_big),
};

LIVE_MAIN(tests)
