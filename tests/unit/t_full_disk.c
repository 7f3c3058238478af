// SPDX-License-Identifier: GPL-2.0-only
/* A recording onto a small file system that fills up. */
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "base/io.h"
#include "file/tracedat/live_sink.h"
#include "file/tracedat/read/recover.h"
#include "look.h"
#include "sample.h"
#include "tmpdir.h"

static const struct kft_tracedat_opts plain = {};

/* Pages to a CPU until the disk is full; how many are there completely. */
static uint32_t fill(struct kft_sink *s, uint32_t cpu)
{
	uint8_t page[SAMPLE_PAGE_BYTES];
	int fd = -1;

	assert_int_equal(s->ops->cpu_fd(s, cpu, &fd, NULL), 0);
	for (uint32_t i = 0;; i++) {
		sample_page(page, i * SAMPLE_EVENTS_IN_PAGE, SAMPLE_EVENTS_IN_PAGE);
		int r = kft_write_all(fd, page, sizeof(page));
		if (r == 0)
			continue;
		assert_int_equal(r, -ENOSPC);
		assert_true(i > 10);
		return i;
	}
}

static size_t count_lost(struct kft_sink *s, size_t n)
{
	const struct kft_lost_range lost = {.cpu = 0, .since = 1, .until = 2, .count = 1};
	size_t stored = 0;

	for (size_t i = 0; i < n; i++)
		stored += s->ops->lost(s, &lost) == 0;
	return stored;
}

static void assert_events(const char *path, bool unfinished, uint32_t pages, size_t lost)
{
	struct look l = look_at(path);

	assert_int_equal(l.unfinished, unfinished);
	assert_true(l.events[0] >= pages * SAMPLE_EVENTS_IN_PAGE);
	assert_true(l.events[0] < (pages + 1) * SAMPLE_EVENTS_IN_PAGE);
	assert_int_equal(l.losses, lost);
}

static void nothing_on_the_disk_is_lost(void **state)
{
	struct tmpdir *d = *state;
	struct tmpdir *elsewhere;
	struct kft_meta m = {};
	struct kft_sink *s = NULL;
	struct kft_err e = {};
	struct kft_tracedat_recovered result;
	char path[128];

	(void)strcpy(path, tmpdir_path(d, "x"));
	sample_meta(&m);
	assert_int_equal(kft_tracedat_sink_create(path, &plain, &s, NULL), 0);
	assert_int_equal(s->ops->begin(s, &m, NULL), 0);
	size_t stored = count_lost(s, 100);
	assert_int_equal(stored, 100);
	uint32_t pages = fill(s, 0);
	/* Data that does not fit any more leaves the earlier data intact. */
	stored += count_lost(s, 200);
	assert_true(stored < 300);
	assert_true(s->ops->tasks(s, &m.cmdlines, &m.tgids) < 0);
	assert_events(path, true, pages, stored);

	assert_int_equal(s->ops->end(s, &m, &e), -ENOSPC);
	assert_non_null(strstr(e.msg, "No space left on device"));
	assert_non_null(strstr(e.hint, "kft recover -o"));
	s->ops->destroy(s);
	assert_false(tmpdir_exists(d, "x.parts/new"));
	assert_events(path, true, pages, stored);

	assert_int_equal(tmpdir_setup((void **)&elsewhere), 0);
	assert_int_equal(kft_tracedat_recover(path, tmpdir_path(elsewhere, "y"), &plain,
					      &result, &e),
			 0);
	assert_events(tmpdir_path(elsewhere, "y"), false, pages, stored);
	(void)tmpdir_teardown((void **)&elsewhere);
	kft_meta_finish(&m);
}

static void a_disk_that_is_full_from_the_start(void **state)
{
	struct tmpdir *d = *state;
	struct kft_meta m = {};
	struct kft_sink *s = NULL;
	struct kft_err e = {};
	_cleanup_close_ int fd = open(tmpdir_path(d, "hog"), O_RDWR | O_CREAT | O_CLOEXEC,
				      0600);
	char page[SAMPLE_PAGE_BYTES] = {};

	while (kft_write_all(fd, page, sizeof(page)) == 0)
		;
	sample_meta(&m);
	assert_int_equal(kft_tracedat_sink_create(tmpdir_path(d, "x"), &plain, &s, NULL),
			 0);
	assert_int_equal(s->ops->begin(s, &m, &e), -ENOSPC);
	assert_non_null(strstr(e.msg, "No space left on device"));
	s->ops->destroy(s);
	assert_int_equal(tmpdir_count(d), 1);
	kft_meta_finish(&m);
}

/* Mounts 400 KB over the test's directory; no other process sees them. */
static int setup_small(void **state)
{
	(void)tmpdir_setup(state);
	struct tmpdir *d = *state;

	return mount("none", d->root, "tmpfs", 0, "size=400k");
}

static int teardown_small(void **state)
{
	struct tmpdir *d = *state;

	(void)umount2(d->root, MNT_DETACH);
	return tmpdir_teardown(state);
}

static bool map_id(const char *path, unsigned int id)
{
	char map[64];
	int n = snprintf(map, sizeof(map), "0 %u 1", id);

	return kft_write_at(AT_FDCWD, path, 0, map, n) == 0;
}

/* Makes this process root of a user namespace of its own. */
static bool become_root(void)
{
	const uid_t uid = geteuid();
	const gid_t gid = getegid();

	return unshare(CLONE_NEWUSER) == 0 && map_id("/proc/self/uid_map", uid) &&
	       kft_write_at(AT_FDCWD, "/proc/self/setgroups", 0, "deny", 4) == 0 &&
	       map_id("/proc/self/gid_map", gid);
}

static bool have_namespace(void)
{
	if (geteuid() != 0 && !become_root())
		return false;
	return unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup_small, teardown_small)

static const struct CMUnitTest tests[] = {
	T(nothing_on_the_disk_is_lost),
	T(a_disk_that_is_full_from_the_start),
};

int main(void)
{
	if (!have_namespace()) {
		(void)fprintf(stderr, "a private tmpfs cannot be mounted here\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
