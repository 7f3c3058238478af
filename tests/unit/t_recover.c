// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/io.h"
#include "file/tracedat/live_sink.h"
#include "file/tracedat/read/recover.h"
#include "look.h"
#include "sample.h"
#include "tmpdir.h"

static const struct kft_tracedat_opts plain = {};

/* Two different files of the test's directory. */
struct paths {
	char a[128];
	char b[128];
};

static struct paths paths_of(struct tmpdir *d)
{
	struct paths p;

	(void)strcpy(p.a, tmpdir_path(d, "a"));
	(void)strcpy(p.b, tmpdir_path(d, "b"));
	return p;
}

static struct kft_tracedat_recovered recover(const char *in, const char *out,
					     const struct kft_tracedat_opts *opts)
{
	struct kft_tracedat_recovered ret = {};
	struct kft_err e = {};

	if (kft_tracedat_recover(in, out, opts, &ret, &e) < 0)
		fail_msg("%s", e.msg);
	return ret;
}

/* CPU 0 has 200 pages, CPU 1 two; an instance has one more page of CPU 1. */
static void write_finished(const char *path, const struct kft_tracedat_opts *opts)
{
	struct kft_meta m = {};
	struct kft_page_source s[] = {
		{.cpu = 0,
		 .fd = sample_pages_fd(0, 200),
		 .bytes = 200 * SAMPLE_PAGE_BYTES},
		{.cpu = 1, .fd = sample_pages_fd(0, 2), .bytes = 2 * SAMPLE_PAGE_BYTES},
	};
	struct kft_page_source other = s[1];
	other.bytes = SAMPLE_PAGE_BYTES;
	const struct kft_tracedat_buffer b[] = {
		{"", "mono", SAMPLE_PAGE_BYTES, s, 2},
		{"other", "mono", SAMPLE_PAGE_BYTES, &other, 1},
	};
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	sample_meta(&m);
	assert_int_equal(kft_tracedat_write(fd, &m, b, 2, opts, NULL), 0);
	kft_meta_finish(&m);
	(void)close(s[0].fd);
	(void)close(s[1].fd);
}

static void assert_content(const char *path)
{
	struct look l = look_at(path);

	assert_false(l.unfinished);
	assert_int_equal(l.buffers, 2);
	assert_int_equal(l.events[0], 200 * SAMPLE_EVENTS_IN_PAGE);
	assert_int_equal(l.events[1], 2 * SAMPLE_EVENTS_IN_PAGE);
}

static void assert_same_file(struct tmpdir *d, const char *a, const char *b)
{
	size_t a_len;
	size_t b_len;
	_cleanup_free_ uint8_t *pa = tmpdir_read(d, a, &a_len);
	_cleanup_free_ uint8_t *pb = tmpdir_read(d, b, &b_len);

	assert_int_equal(a_len, b_len);
	assert_memory_equal(pa, pb, a_len);
}

/* A conversion to version 6 and back gives the same file, byte by byte. */
static void a_version_can_be_changed(void **state)
{
	const struct kft_tracedat_opts v6 = {.file_version = 6};
	struct tmpdir *d = *state;
	struct paths p = paths_of(d);

	write_finished(p.a, &plain);
	(void)recover(p.a, p.b, &v6);
	assert_content(p.b);
	(void)recover(p.b, tmpdir_path(d, "c"), &plain);
	assert_same_file(d, "a", "c");
	assert_int_equal(tmpdir_count(d), 3);
}

static void compression_can_be_changed(void **state)
{
	const struct kft_tracedat_opts zstd = {.compress = KFT_TRACEDAT_ZSTD,
					       .threads = 2};
	struct tmpdir *d = *state;
	struct paths p = paths_of(d);
	struct stat st;

	if (!HAVE_ZSTD)
		skip();
	write_finished(p.a, &plain);
	struct kft_tracedat_recovered r = recover(p.a, p.b, &zstd);
	assert_int_equal(stat(p.b, &st), 0);
	assert_int_equal(r.bytes, st.st_size);
	assert_true(r.bytes < 200 * SAMPLE_PAGE_BYTES / 2);
	assert_content(p.b);
	/* In place too. */
	(void)recover(p.b, NULL, &plain);
	assert_same_file(d, "a", "b");
	assert_int_equal(tmpdir_count(d), 2);
}

/* Starts a recording and leaves it unfinished, like a recorder that runs or was killed. */
static struct kft_sink *start_recording(const char *path)
{
	struct kft_meta m = {};
	struct kft_sink *s = NULL;
	uint8_t page[SAMPLE_PAGE_BYTES];
	int fd = -1;

	sample_meta(&m);
	assert_int_equal(kft_tracedat_sink_create(path, &plain, &s, NULL), 0);
	assert_int_equal(s->ops->begin(s, &m, NULL), 0);
	assert_int_equal(s->ops->cpu_fd(s, 1, &fd, NULL), 0);
	sample_page(page, 0, SAMPLE_EVENTS_IN_PAGE);
	assert_int_equal(kft_write_all(fd, page, sizeof(page)), 0);
	sample_page(page, SAMPLE_EVENTS_IN_PAGE, SAMPLE_EVENTS_IN_PAGE);
	assert_int_equal(kft_write_all(fd, page, 500), 0);
	kft_meta_finish(&m);
	return s;
}

/* 500 bytes of the second page are 30 events and a piece. */
#define RECORDED_EVENTS (SAMPLE_EVENTS_IN_PAGE + 30)

static void assert_recorded(const char *path, bool unfinished)
{
	struct look l = look_at(path);

	assert_int_equal(l.unfinished, unfinished);
	assert_int_equal(l.events[0], 0);
	assert_int_equal(l.events[1], RECORDED_EVENTS);
}

static void a_killed_recording_becomes_a_file(void **state)
{
	struct tmpdir *d = *state;
	struct paths p = paths_of(d);
	struct kft_sink *s = start_recording(p.a);

	s->ops->destroy(s);
	assert_recorded(p.a, true);
	struct kft_tracedat_recovered r = recover(p.a, NULL, &plain);
	assert_int_equal(r.damage_count, 0);
	assert_recorded(p.a, false);
	assert_int_equal(tmpdir_count(d), 1);
}

/* The pages of a buffer beside the main one, whatever ends the recording. */
static void a_further_buffer_is_kept(void **state)
{
	static const char *const unused[] = {"a", "b", "c", "d", "e", "f"};
	struct tmpdir *d = *state;
	struct paths p = paths_of(d);

	for (int killed = 0; killed < 2; killed++) {
		struct kft_sink *s = start_recording(p.a);
		uint8_t page[SAMPLE_PAGE_BYTES];
		struct kft_meta m = {};
		const struct kft_buffer_shape shape = {};
		struct kft_sink *entries = NULL;
		int fd = -1;

		/* Further ones without a page are not in the trace. */
		for (int i = 0; i < 6; i++)
			assert_int_equal(
				s->ops->buffer(s, unused[i], &shape, &entries, NULL), 0);
		assert_int_equal(s->ops->buffer(s, "entries", &shape, &entries, NULL), 0);
		assert_int_equal(s->ops->buffer(s, "one-more", &shape, &entries, NULL),
				 -E2BIG);
		assert_int_equal(entries->ops->cpu_fd(entries, 0, &fd, NULL), 0);
		sample_page(page, 0, SAMPLE_EVENTS_IN_PAGE);
		assert_int_equal(kft_write_all(fd, page, sizeof(page)), 0);
		sample_meta(&m);
		if (!killed)
			assert_int_equal(s->ops->end(s, &m, NULL), 0);
		s->ops->destroy(s);
		for (int recovered = 0; recovered < 1 + killed; recovered++) {
			struct look l = look_at(p.a);

			assert_int_equal(l.unfinished, killed && !recovered);
			assert_int_equal(l.buffers, 2);
			assert_int_equal(l.events[1], RECORDED_EVENTS);
			assert_int_equal(l.further[0], SAMPLE_EVENTS_IN_PAGE);
			if (killed && !recovered)
				(void)recover(p.a, NULL, &plain);
		}
		assert_int_equal(tmpdir_count(d), 1);
		kft_meta_finish(&m);
	}
}

static void elsewhere_leaves_everything_as_it_was(void **state)
{
	struct tmpdir *d = *state;
	struct paths p = paths_of(d);
	struct tmpdir *out;
	char copy[128];

	assert_int_equal(tmpdir_setup((void **)&out), 0);
	(void)strcpy(copy, tmpdir_path(out, "copy"));
	struct kft_sink *s = start_recording(p.a);
	s->ops->destroy(s);
	/* The mode has an effect only if the tests do not run as root. */
	assert_int_equal(chmod(d->root, 0500), 0);
	(void)recover(p.a, copy, &plain);
	assert_int_equal(chmod(d->root, 0700), 0);
	assert_recorded(copy, false);
	assert_recorded(p.a, true);
	assert_int_equal(tmpdir_count(d), 2);
	assert_int_equal(tmpdir_count(out), 1);
	(void)tmpdir_teardown((void **)&out);
}

static void a_running_recording_can_be_copied_only(void **state)
{
	struct tmpdir *d = *state;
	struct paths p = paths_of(d);
	struct kft_sink *s = start_recording(p.a);
	struct kft_tracedat_recovered r;
	struct kft_err e = {};

	assert_int_equal(kft_tracedat_recover(p.a, NULL, &plain, &r, &e), -EBUSY);
	assert_non_null(strstr(e.msg, "being recorded"));
	(void)recover(p.a, p.b, &plain);
	assert_recorded(p.b, false);
	s->ops->destroy(s);
	assert_recorded(p.a, true);
}

static void failures_change_nothing(void **state)
{
	struct tmpdir *d = *state;
	struct paths p = paths_of(d);
	struct kft_tracedat_recovered r;
	struct kft_err e = {};

	assert_int_equal(kft_tracedat_recover(p.a, NULL, &plain, &r, &e), -ENOENT);
	assert_int_equal(kft_tracedat_recover(p.a, p.b, &plain, &r, &e), -ENOENT);
	assert_int_equal(tmpdir_count(d), 0);
	tmpdir_write(d, "a", "this is no trace at all", 23);
	assert_int_equal(kft_tracedat_recover(p.a, NULL, &plain, &r, &e), -EEXIST);
	assert_int_equal(kft_tracedat_recover(p.a, p.b, &plain, &r, &e), -EINVAL);
	assert_int_equal(tmpdir_count(d), 1);
	write_finished(p.b, &plain);
	assert_int_equal(kft_tracedat_recover(p.b, p.a, &plain, &r, &e), -EEXIST);
	assert_int_equal(tmpdir_count(d), 2);
	assert_content(p.b);
}

/* Changes a byte of the file. */
static void spoil(const char *path, uint64_t offset)
{
	_cleanup_close_ int fd = open(path, O_RDWR | O_CLOEXEC);
	char c = 0;

	assert_true(fd >= 0);
	assert_int_equal(kft_pread_all(fd, &c, 1, offset), 0);
	c ^= 0x55;
	assert_int_equal(kft_pwrite_all(fd, &c, 1, offset), 0);
}

static void what_is_damaged_is_left_out_and_told(void **state)
{
	const struct kft_tracedat_opts zstd = {.compress = KFT_TRACEDAT_ZSTD};
	struct tmpdir *d = *state;
	struct paths p = paths_of(d);

	if (!HAVE_ZSTD)
		skip();
	write_finished(p.a, &zstd);
	/* CPU 0's data is at the first page boundary behind the metadata: the first chunk. */
	spoil(p.a, SAMPLE_PAGE_BYTES + 12 + 5);
	struct kft_tracedat_recovered r = recover(p.a, p.b, &plain);
	assert_int_equal(r.damage_count, 1);
	assert_int_equal(r.damage.code, -EBADMSG);
	assert_true(r.bytes < 200 * SAMPLE_PAGE_BYTES);
	assert_true(r.bytes > 100 * SAMPLE_PAGE_BYTES);
}

static void a_file_that_was_cut_keeps_its_whole_events(void **state)
{
	struct tmpdir *d = *state;
	struct paths p = paths_of(d);

	write_finished(p.a, &plain);
	/* Version 6 says at its start where things are; version 7 at its end. */
	const struct kft_tracedat_opts v6 = {.file_version = 6};
	(void)recover(p.a, p.b, &v6);
	assert_int_equal(truncate(p.b, SAMPLE_PAGE_BYTES * 10 + 500), 0);
	struct kft_tracedat_recovered r = recover(p.b, NULL, &plain);
	assert_true(r.damage_count > 0);
	assert_true(r.damage.code < 0);
	struct look l = look_at(p.b);
	assert_int_equal(l.events[0], 9 * SAMPLE_EVENTS_IN_PAGE + 30);
}

#define T(f) cmocka_unit_test_setup_teardown(f, tmpdir_setup, tmpdir_teardown)

static const struct CMUnitTest tests[] = {
	T(a_version_can_be_changed),
	T(compression_can_be_changed),
	T(a_killed_recording_becomes_a_file),
	T(a_further_buffer_is_kept),
	T(elsewhere_leaves_everything_as_it_was),
	T(a_running_recording_can_be_copied_only),
	T(failures_change_nothing),
	T(what_is_damaged_is_left_out_and_told),
	T(a_file_that_was_cut_keeps_its_whole_events),
};

T_MAIN(tests)
