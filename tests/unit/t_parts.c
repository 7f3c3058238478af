// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "file/tracedat/parts.h"
#include "file/tracedat/write/write.h"
#include "sample.h"
#include "tmpdir.h"

static int claim(struct tmpdir *d, const char *name, struct kft_parts *p,
		 struct kft_err *e)
{
	assert_int_equal(kft_parts_init(p, tmpdir_path(d, name), e), 0);
	return kft_parts_claim(p, e);
}

/* A claim that must fail, and leave no descriptor open. */
static void assert_refused(struct tmpdir *d, const char *name, int code, const char *why)
{
	struct kft_parts p;
	struct kft_err e = {};

	assert_int_equal(claim(d, name, &p, &e), code);
	assert_true(p.fd < 0);
	if (!strstr(e.msg, why))
		fail_msg("'%s' does not say '%s'", e.msg, why);
	kft_parts_finish(&p);
}

static void assert_claimed(struct tmpdir *d, const char *name)
{
	struct kft_parts p;
	struct kft_err e = {};

	if (claim(d, name, &p, &e) < 0)
		fail_msg("%s", e.msg);
	kft_parts_remove(&p);
	kft_parts_finish(&p);
}

/* A file that says that it is being recorded; the caller closes it. */
static int write_live(struct tmpdir *d, const char *name)
{
	struct kft_meta m = {};
	int fd = open(tmpdir_path(d, name), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	sample_meta(&m);
	assert_int_equal(kft_tracedat_write_live(fd, &m, KFT_TRACEDAT_PLAIN, NULL), 0);
	kft_meta_finish(&m);
	return fd;
}

static void write_finished(struct tmpdir *d, const char *name)
{
	const struct kft_tracedat_opts opts = {};
	const struct kft_tracedat_buffer b = {
		.name = "", .clock = "mono", .page_size = SAMPLE_PAGE_BYTES};
	struct kft_meta m = {};
	_cleanup_close_ int fd = open(tmpdir_path(d, name), O_RDWR | O_CREAT | O_CLOEXEC,
				      0600);

	assert_true(fd >= 0);
	sample_meta(&m);
	assert_int_equal(kft_tracedat_write(fd, &m, &b, 1, &opts, NULL), 0);
	kft_meta_finish(&m);
}

static void make_dir(struct tmpdir *d, const char *name, mode_t mode)
{
	assert_int_equal(mkdir(tmpdir_path(d, name), 0700), 0);
	assert_int_equal(chmod(tmpdir_path(d, name), mode), 0);
}

static void a_new_directory_is_private_and_goes_again(void **state)
{
	struct tmpdir *d = *state;
	struct kft_parts p;
	struct stat st;

	assert_int_equal(claim(d, "x", &p, NULL), 0);
	assert_int_equal(lstat(tmpdir_path(d, "x.parts"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	kft_parts_remove(&p);
	kft_parts_finish(&p);
	assert_int_equal(tmpdir_count(d), 0);
}

static void only_one_may_have_it(void **state)
{
	struct tmpdir *d = *state;
	struct kft_parts p;

	assert_int_equal(claim(d, "x", &p, NULL), 0);
	assert_refused(d, "x", -EBUSY, "being recorded by another kft");
	kft_parts_finish(&p);
	assert_claimed(d, "x");
}

static void what_is_no_trace_is_not_overwritten(void **state)
{
	struct tmpdir *d = *state;

	tmpdir_write(d, "text", "hello, hello, hello", 19);
	assert_refused(d, "text", -EEXIST, "is no trace");
	make_dir(d, "dir", 0700);
	assert_refused(d, "dir", -EEXIST, "no regular file");
	assert_int_equal(mkfifo(tmpdir_path(d, "fifo"), 0600), 0);
	assert_refused(d, "fifo", -EEXIST, "no regular file");
	tmpdir_write(d, "empty", "", 0);
	assert_claimed(d, "empty");
	write_finished(d, "done");
	assert_claimed(d, "done");
}

static void links_are_not_followed(void **state)
{
	struct tmpdir *d = *state;

	write_finished(d, "done");
	assert_int_equal(symlink("done", tmpdir_path(d, "link")), 0);
	assert_refused(d, "link", -EEXIST, "symbolic link");
	assert_int_equal(symlink("nowhere", tmpdir_path(d, "dangling")), 0);
	assert_refused(d, "dangling", -EEXIST, "symbolic link");
	/* A link to a directory is not followed: another user may have planted it. */
	make_dir(d, "mine", 0700);
	assert_int_equal(symlink("mine", tmpdir_path(d, "x.parts")), 0);
	assert_refused(d, "x", -EPERM, "not a directory that only you");
	assert_true(tmpdir_exists(d, "mine"));
}

static void a_directory_that_others_can_write_to_is_refused(void **state)
{
	struct tmpdir *d = *state;

	make_dir(d, "x.parts", 0777);
	assert_refused(d, "x", -EPERM, "not a directory that only you");
	tmpdir_write(d, "y.parts", "", 0);
	assert_refused(d, "y", -EPERM, "not a directory that only you");
	if (geteuid() != 0)
		return;
	make_dir(d, "z.parts", 0700);
	assert_int_equal(chown(tmpdir_path(d, "z.parts"), 65534, 65534), 0);
	assert_refused(d, "z", -EPERM, "not a directory that only you");
}

static void a_running_recording_is_left_alone(void **state)
{
	struct tmpdir *d = *state;
	_cleanup_close_ int fd = write_live(d, "x");

	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_refused(d, "x", -EBUSY, "being recorded by another kft");
}

static void a_killed_recording_is_kept(void **state)
{
	struct tmpdir *d = *state;
	struct kft_err e = {};
	struct kft_parts p;

	(void)close(write_live(d, "x"));
	make_dir(d, "x.parts", 0700);
	tmpdir_write(d, "x.parts/cpu0", "", 0);
	tmpdir_write(d, "x.parts/cpu1", "a page", 6);
	assert_int_equal(claim(d, "x", &p, &e), -EEXIST);
	assert_non_null(strstr(e.hint, "kft recover"));
	kft_parts_finish(&p);
	assert_true(tmpdir_exists(d, "x.parts/cpu1"));
	/* The claim is refused as well when the file is missing. */
	assert_int_equal(unlink(tmpdir_path(d, "x")), 0);
	assert_refused(d, "x", -EEXIST, "is gone");
	assert_true(tmpdir_exists(d, "x.parts/cpu1"));
}

static void leftovers_without_value_are_removed(void **state)
{
	struct tmpdir *d = *state;

	/* A live file without pages. */
	(void)close(write_live(d, "x"));
	make_dir(d, "x.parts", 0700);
	tmpdir_write(d, "x.parts/cpu0", "", 0);
	tmpdir_write(d, "x.parts/new", "half a file", 11);
	assert_claimed(d, "x");
	assert_false(tmpdir_exists(d, "x.parts"));
	/* The parts of a recording that was finished but for their removal. */
	write_finished(d, "y");
	make_dir(d, "y.parts", 0700);
	tmpdir_write(d, "y.parts/cpu0", "a page", 6);
	tmpdir_write(d, "y.parts/lost", "", 0);
	tmpdir_write(d, "y.parts/tasks", "", 0);
	assert_claimed(d, "y");
	assert_false(tmpdir_exists(d, "y.parts"));
	/* Files with other names than kft's are kept. */
	make_dir(d, "z.parts", 0700);
	tmpdir_write(d, "z.parts/cpux", "mine", 4);
	assert_claimed(d, "z");
	assert_true(tmpdir_exists(d, "z.parts/cpux"));
}

static void names_without_a_file_are_refused(void **state)
{
	struct tmpdir *d = *state;
	struct kft_parts p;
	struct kft_err e = {};

	assert_int_equal(kft_parts_init(&p, "", &e), -EISDIR);
	assert_int_equal(kft_parts_init(&p, "/tmp/", &e), -EISDIR);
	assert_int_equal(kft_parts_init(&p, "..", &e), -EISDIR);
	assert_int_equal(kft_parts_init(&p, tmpdir_path(d, "none/x"), &e), -ENOENT);
	assert_non_null(strstr(e.msg, "none/x"));
}

static void buffers_are_found_by_the_names_of_their_files(void **state)
{
	static const char *const files[] = {
		"perf.cpu1",
		"cpu0",
		"entries.cpu0",
		"entries.cpu12",
		"perf2.cpu0",
		"lost",
		"a.cpu",
		"b.cpux",
		".cpu3",
		"A.cpu0",
		"a.b.cpu0",
		"names",
		"a-name-of-more-than-thirty-one-bytes.cpu0",
	};
	struct tmpdir *d = *state;
	struct kft_parts_buffers found;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		(void)close(open(tmpdir_path(d, files[i]), O_CREAT | O_WRONLY | O_CLOEXEC,
				 0600));
	int fd = open(tmpdir_path(d, "."), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	kft_parts_find_buffers(fd, &found);
	assert_int_equal(found.n, 4);
	assert_string_equal(found.names[0], "");
	assert_string_equal(found.names[1], "entries");
	assert_string_equal(found.names[2], "perf");
	assert_string_equal(found.names[3], "perf2");
	for (char name[] = "c.cpu0"; name[0] < 'z'; name[0]++)
		(void)close(
			open(tmpdir_path(d, name), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	kft_parts_find_buffers(fd, &found);
	assert_int_equal(found.n, KFT_PARTS_BUFFERS);
	(void)close(fd);
}

#define T(f) cmocka_unit_test_setup_teardown(f, tmpdir_setup, tmpdir_teardown)

static const struct CMUnitTest tests[] = {
	T(a_new_directory_is_private_and_goes_again),
	T(only_one_may_have_it),
	T(what_is_no_trace_is_not_overwritten),
	T(links_are_not_followed),
	T(a_directory_that_others_can_write_to_is_refused),
	T(a_running_recording_is_left_alone),
	T(a_killed_recording_is_kept),
	T(leftovers_without_value_are_removed),
	T(names_without_a_file_are_refused),
	T(buffers_are_found_by_the_names_of_their_files),
};

T_MAIN(tests)
