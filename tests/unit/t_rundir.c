// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "capture/rundir.h"
#include "fake.h"

static int setup(void **state)
{
	int r = fake_setup(state);

	fake_mkdir(*state, "run");
	return r;
}

static void files_are_replaced_whole(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), 0);
	assert_int_equal(kft_rundir_read(&d, "state", &sb, NULL), -ENOENT);
	assert_int_equal(kft_rundir_write(&d, "state", "one\n", 4, NULL), 0);
	assert_int_equal(kft_rundir_write(&d, "state", "2\n", 2, NULL), 0);
	assert_int_equal(kft_rundir_read(&d, "state", &sb, NULL), 0);
	assert_string_equal(kft_strbuf_cstr(&sb), "2\n");
	assert_false(fake_exists(f, "run/kft/a/state.new"));
	kft_rundir_close(&d);
}

static void a_recording_in_the_foreground_is_named(void **state)
{
	struct fake *f = *state;
	struct kft_rundir attached;
	struct kft_rundir d;
	struct kft_err e = {};

	assert_int_equal(kft_rundir_open_attached(f->host, "a", &attached, NULL), 0);
	assert_int_equal(kft_rundir_open(f->host, "a", false, &d, &e), -ENOENT);
	assert_string_equal(e.msg,
			    "session 'a' is recorded by a process in the foreground");
	kft_rundir_close(&attached);
	assert_int_equal(kft_rundir_open(f->host, "a", false, &d, &e), -ENOENT);
	assert_string_equal(e.msg, "no run is loaded in session 'a'");
}

static void only_what_was_loaded_can_be_opened(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	struct kft_err e = {};

	assert_int_equal(kft_rundir_open(f->host, "a", false, &d, &e), -ENOENT);
	assert_string_equal(e.msg, "no run is loaded in session 'a'");
	assert_int_equal(kft_rundir_open(f->host, "b", true, &d, NULL), 0);
	kft_rundir_close(&d);
	assert_int_equal(kft_rundir_open(f->host, "a", false, &d, &e), -ENOENT);
	assert_int_equal(kft_rundir_open(f->host, "b", false, &d, NULL), 0);
	kft_rundir_close(&d);
}

static void names_are_checked(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	static const char *const bad[] = {"", ".", "..", "a/b", "-n", "a b", "\x1b"};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(kft_rundir_open(f->host, bad[i], true, &d, NULL),
				 -EINVAL);
	assert_true(kft_run_name_is_valid("A-b_c.9"));
}

/* A directory that other users can write to is not trusted. */
static void foreign_directories_are_refused(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	char path[128];

	fake_mkdir(f, "run/kft");
	(void)snprintf(path, sizeof(path), "%s/run/kft", f->root);
	assert_int_equal(chmod(path, 0777), 0);
	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), -EPERM);
	fake_remove(f, "run/kft");
	fake_mkdir(f, "elsewhere");
	fake_link(f, "run/kft", "../elsewhere");
	assert_true(kft_rundir_open(f->host, "a", true, &d, NULL) < 0);
	assert_false(fake_exists(f, "elsewhere/a"));
}

static void opening_locks(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	char path[128];

	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), 0);
	(void)snprintf(path, sizeof(path), "%s/run/kft/a", f->root);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), -1);
	kft_rundir_close(&d);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	(void)close(fd);
}

static int append_name(void *arg, const char *name)
{
	kft_strbuf_addf(arg, "%s;", name);
	return 0;
}

static void one_file_is_removed(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;

	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), 0);
	fake_write(f, "run/kft/a/raw.parts/cpu0", "x");
	fake_write(f, "run/kft/a/state", "x");
	for (int times = 0; times < 2; times++)
		assert_int_equal(kft_rundir_remove_file(&d, "raw.parts", NULL), 0);
	assert_int_equal(faccessat(d.fd, "raw.parts", F_OK, 0), -1);
	assert_int_equal(kft_rundir_remove_file(&d, "state", NULL), 0);
	assert_int_equal(faccessat(d.fd, "state", F_OK, 0), -1);
	kft_rundir_close(&d);
}

static void runs_are_listed_and_removed(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(kft_rundir_list(f->host, append_name, &sb, NULL), 0);
	assert_int_equal(kft_rundir_open(f->host, "b", true, &d, NULL), 0);
	kft_rundir_close(&d);
	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), 0);
	assert_int_equal(kft_rundir_list(f->host, append_name, &sb, NULL), 0);
	assert_string_equal(kft_strbuf_cstr(&sb), "a;b;");
	fake_write(f, "run/kft/a/raw.parts/cpu0", "x");
	fake_write(f, "run/kft/a/state", "x");
	assert_int_equal(kft_rundir_lock_all(&d, NULL), 0);
	assert_int_equal(kft_rundir_remove(&d, NULL), 0);
	kft_rundir_unlock_all(&d);
	kft_rundir_close(&d);
	kft_strbuf_clear(&sb);
	assert_int_equal(kft_rundir_list(f->host, append_name, &sb, NULL), 0);
	assert_string_equal(kft_strbuf_cstr(&sb), "b;");
}

static void lists_are(struct fake *f, const char *own, const char *foreign)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(kft_rundir_list(f->host, append_name, &sb, NULL), 0);
	kft_strbuf_adds(&sb, "|");
	assert_int_equal(kft_rundir_list_foreign(f->host, append_name, &sb, NULL), 0);
	char *between = strchr(kft_strbuf_cstr(&sb), '|');
	*between = '\0';
	assert_string_equal(sb.buf, own);
	assert_string_equal(between + 1, foreign);
}

/* Whatever else is below /run/kft neither stops a command nor keeps it waiting. */
static void foreign_entries_are_left_out(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	struct kft_err e = {};

	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), 0);
	kft_rundir_close(&d);
	assert_int_equal(mkfifoat(f->host->root_fd, "run/kft/fifo", 0600), 0);
	fake_write(f, "run/kft/file", "x");
	fake_link(f, "run/kft/link", "a");
	fake_mkdir(f, "run/kft/open");
	assert_int_equal(fchmodat(f->host->root_fd, "run/kft/open", 0777, 0), 0);
	lists_are(f, "a;", "fifo;file;link;open;");
	assert_int_equal(kft_rundir_open(f->host, "fifo", false, &d, NULL), -ENOTDIR);
	assert_int_equal(kft_rundir_open(f->host, "open", false, &d, &e), -EPERM);
	assert_non_null(strstr(e.hint, "mode 700"));
	assert_int_equal(kft_rundir_adopt(f->host, "open", &d), -EPERM);
}

/* Root's commands do not obey files that another user can write. */
static void a_directory_of_another_user_is_refused(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	struct kft_err e = {};

	if (geteuid() != 0)
		skip();
	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), 0);
	kft_rundir_close(&d);
	assert_int_equal(fchownat(f->host->root_fd, "run/kft/a", 65534, 65534, 0), 0);
	assert_int_equal(kft_rundir_open(f->host, "a", false, &d, &e), -EPERM);
	assert_non_null(strstr(e.hint, "root's or yours"));
	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), -EPERM);
	assert_int_equal(kft_rundir_adopt(f->host, "a", &d), -EPERM);
	assert_int_equal(fchownat(f->host->root_fd, "run/kft", 65534, 65534, 0), 0);
	assert_int_equal(kft_rundir_open(f->host, "b", true, &d, NULL), -EPERM);
}

static void a_mode_that_is_too_wide_is_named(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	struct kft_err e = {};

	fake_mkdir(f, "run/kft");
	assert_int_equal(fchmodat(f->host->root_fd, "run/kft", 0777, 0), 0);
	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, &e), -EPERM);
	assert_non_null(strstr(e.hint, "mode 700"));
}

static void only_regular_files_are_read(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), 0);
	assert_int_equal(mkfifoat(d.fd, "state", 0600), 0);
	assert_int_equal(kft_rundir_read(&d, "state", &sb, NULL), -EINVAL);
	fake_link(f, "run/kft/a/config", "state");
	assert_int_equal(kft_rundir_read(&d, "config", &sb, NULL), -ELOOP);
	kft_rundir_close(&d);
}

static mode_t mode_of(const struct fake *f, const char *path)
{
	struct stat st;

	assert_int_equal(fstatat(f->host->root_fd, path, &st, AT_SYMLINK_NOFOLLOW), 0);
	return st.st_mode & 07777;
}

/* A process that has given up CAP_DAC_OVERRIDE opens them again. */
static void modes_do_not_depend_on_the_umask(void **state)
{
	struct fake *f = *state;
	struct kft_rundir attached;
	struct kft_rundir d;

	fake_remove(f, "run");
	mode_t old = umask(0777);
	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), 0);
	assert_int_equal(kft_rundir_write(&d, "state", "x", 1, NULL), 0);
	kft_rundir_close(&d);
	assert_int_equal(kft_rundir_open_attached(f->host, "b", &attached, NULL), 0);
	kft_rundir_close(&attached);
	(void)umask(old);
	assert_int_equal(mode_of(f, "run"), 0755);
	assert_int_equal(mode_of(f, "run/kft"), 0700);
	assert_int_equal(mode_of(f, "run/kft/a"), 0700);
	assert_int_equal(mode_of(f, "run/kft/record+b"), 0700);
	assert_int_equal(mode_of(f, "run/kft/a/state"), 0600);
}

#define WITH_RUN(test) cmocka_unit_test_setup_teardown(test, setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	WITH_RUN(files_are_replaced_whole),
	WITH_RUN(only_what_was_loaded_can_be_opened),
	WITH_RUN(a_recording_in_the_foreground_is_named),
	WITH_RUN(names_are_checked),
	WITH_RUN(foreign_directories_are_refused),
	WITH_RUN(opening_locks),
	WITH_RUN(one_file_is_removed),
	WITH_RUN(runs_are_listed_and_removed),
	WITH_RUN(foreign_entries_are_left_out),
	WITH_RUN(a_directory_of_another_user_is_refused),
	WITH_RUN(a_mode_that_is_too_wide_is_named),
	WITH_RUN(only_regular_files_are_read),
	WITH_RUN(modes_do_not_depend_on_the_umask),
};

T_MAIN(tests)
