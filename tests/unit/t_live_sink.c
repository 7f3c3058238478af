// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/io.h"
#include "decode/task_names.h"
#include "file/tracedat/format.h"
#include "file/tracedat/live_sink.h"
#include "file/tracedat/write/encode.h"
#include "model/event.h"
#include "sample.h"
#include "tmpdir.h"

static struct kft_sink *create(struct tmpdir *d, const struct kft_tracedat_opts *opts)
{
	static const struct kft_tracedat_opts defaults = {};
	struct kft_sink *s = NULL;

	assert_int_equal(kft_tracedat_sink_create(tmpdir_path(d, "x"),
						  opts ? opts : &defaults, &s, NULL),
			 0);
	return s;
}

static void write_pages(struct kft_sink *s, uint32_t cpu, uint32_t first, uint32_t count)
{
	uint8_t page[SAMPLE_PAGE_BYTES];
	int fd = -1;

	assert_int_equal(s->ops->cpu_fd(s, cpu, &fd, NULL), 0);
	for (uint32_t i = 0; i < count; i++) {
		sample_page(page, first + i * SAMPLE_EVENTS_IN_PAGE,
			    SAMPLE_EVENTS_IN_PAGE);
		assert_int_equal(kft_write_all(fd, page, sizeof(page)), 0);
	}
}

/* FILE's bytes at some page boundary are those of the page. */
static bool file_has_page(const uint8_t *file, size_t len, uint32_t first, uint32_t n)
{
	uint8_t want[SAMPLE_PAGE_BYTES];

	sample_page(want, first, n);
	for (size_t at = 0; at + sizeof(want) <= len; at += sizeof(want))
		if (memcmp(file + at, want, sizeof(want)) == 0)
			return true;
	return false;
}

static void assert_file_has(struct tmpdir *d, uint32_t first, uint32_t n)
{
	size_t len;
	_cleanup_free_ uint8_t *file = tmpdir_read(d, "x", &len);

	if (!file_has_page(file, len, first, n))
		fail_msg("no page with %u events from %u on", n, first);
}

static void a_recording_becomes_one_file(void **state)
{
	struct tmpdir *d = *state;
	struct kft_sink *s = create(d, NULL);
	struct kft_meta m = {};
	struct stat st;

	sample_meta(&m);
	assert_int_equal(s->ops->begin(s, &m, NULL), 0);
	assert_int_equal(lstat(tmpdir_path(d, "x"), &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	write_pages(s, 1, 0, 3);
	write_pages(s, 0, 1000, 1);
	write_pages(s, 1, 2000, 1);
	assert_int_equal(s->ops->end(s, &m, NULL), 0);
	s->ops->destroy(s);
	assert_int_equal(tmpdir_count(d), 1);
	assert_int_equal(lstat(tmpdir_path(d, "x"), &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	assert_file_has(d, 0, SAMPLE_EVENTS_IN_PAGE);
	assert_file_has(d, 2 * SAMPLE_EVENTS_IN_PAGE, SAMPLE_EVENTS_IN_PAGE);
	assert_file_has(d, 1000, SAMPLE_EVENTS_IN_PAGE);
	assert_file_has(d, 2000, SAMPLE_EVENTS_IN_PAGE);
	kft_meta_finish(&m);
}

static void parts_can_be_read_at_any_moment(void **state)
{
	struct tmpdir *d = *state;
	struct kft_sink *s = create(d, NULL);
	struct kft_meta m = {};
	const struct kft_lost_range lost[] = {
		{.cpu = 1, .since = 5, .until = 9, .count = 3},
		{.cpu = 0, .since = 6, .until = 7, .count = KFT_LOST_UNKNOWN}};
	size_t len;

	sample_meta(&m);
	assert_int_equal(s->ops->begin(s, &m, NULL), 0);
	write_pages(s, 0, 0, 2);
	for (size_t i = 0; i < ARRAY_SIZE(lost); i++)
		assert_int_equal(s->ops->lost(s, &lost[i]), 0);
	const struct kft_blob cmdlines = {"7 seven\n", 8};
	const struct kft_blob tgids = {"7 6\n", 4};
	assert_int_equal(s->ops->tasks(s, &m.cmdlines, &m.tgids), 0);
	assert_int_equal(s->ops->tasks(s, &cmdlines, &tgids), 0);

	_cleanup_free_ uint8_t *tasks = tmpdir_read(d, "x.parts/tasks", &len);
	assert_string_equal(tasks, "7 seven\n--tgids--\n7 6\n");
	_cleanup_free_ uint8_t *pages = tmpdir_read(d, "x.parts/cpu0", &len);
	assert_int_equal(len, 2 * SAMPLE_PAGE_BYTES);
	_cleanup_free_ uint8_t *bytes = tmpdir_read(d, "x.parts/lost", &len);
	assert_int_equal(len, 2 * KFT_LOST_RECORD_BYTES);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf want = {};
	kft_encode_u32(&want, 1, kft_host_is_big_endian());
	assert_memory_equal(bytes, want.buf, 4);
	/* A sink that is never ended leaves all that in place. */
	s->ops->destroy(s);
	assert_true(tmpdir_exists(d, "x.parts/cpu0"));
	kft_meta_finish(&m);
}

static void a_recording_without_pages_leaves_nothing(void **state)
{
	struct tmpdir *d = *state;
	struct kft_sink *s = create(d, NULL);
	struct kft_meta m = {};
	int fd = -1;

	sample_meta(&m);
	assert_int_equal(s->ops->begin(s, &m, NULL), 0);
	assert_int_equal(s->ops->cpu_fd(s, 0, &fd, NULL), 0);
	assert_int_equal(s->ops->cpu_fd(s, m.cpu_count, &fd, NULL), -EINVAL);
	s->ops->destroy(s);
	assert_int_equal(tmpdir_count(d), 0);
	kft_meta_finish(&m);
}

static void two_recorders_do_not_share_a_file(void **state)
{
	struct tmpdir *d = *state;
	struct kft_sink *a = create(d, NULL);
	struct kft_sink *b = create(d, NULL);
	struct kft_meta m = {};
	struct kft_err e = {};

	sample_meta(&m);
	assert_int_equal(a->ops->begin(a, &m, NULL), 0);
	assert_int_equal(b->ops->begin(b, &m, &e), -EBUSY);
	assert_non_null(strstr(e.msg, "being recorded by another kft"));
	b->ops->destroy(b);
	write_pages(a, 0, 0, 1);
	assert_int_equal(a->ops->end(a, &m, NULL), 0);
	a->ops->destroy(a);
	/* The next sink may replace a finished file. */
	b = create(d, NULL);
	assert_int_equal(b->ops->begin(b, &m, NULL), 0);
	b->ops->destroy(b);
	kft_meta_finish(&m);
}

static void a_torn_page_is_mended(void **state)
{
	struct tmpdir *d = *state;
	struct kft_sink *s = create(d, NULL);
	struct kft_meta m = {};
	uint8_t page[SAMPLE_PAGE_BYTES];
	int fd = -1;

	sample_meta(&m);
	assert_int_equal(s->ops->begin(s, &m, NULL), 0);
	write_pages(s, 0, 0, 1);
	assert_int_equal(s->ops->cpu_fd(s, 0, &fd, NULL), 0);
	sample_page(page, 700, SAMPLE_EVENTS_IN_PAGE);
	/* 20 whole events and 3 bytes. */
	assert_int_equal(
		kft_write_all(fd, page, SAMPLE_PAGE_HEADER + 20 * SAMPLE_EVENT_BYTES + 3),
		0);
	assert_int_equal(s->ops->end(s, &m, NULL), 0);
	s->ops->destroy(s);
	assert_file_has(d, 0, SAMPLE_EVENTS_IN_PAGE);
	assert_file_has(d, 700, 20);
	kft_meta_finish(&m);
}

/* Whoever took the first pages was killed within the last of them. */
static void another_sink_goes_on(void **state)
{
	static const struct kft_tracedat_opts opts = {};
	const struct kft_meta shape = {.page_size = SAMPLE_PAGE_BYTES, .cpu_count = 2};
	const struct kft_lost_range lost = {.cpu = 1, .since = 5, .until = 9, .count = 3};
	static const char first_name[KFT_TASK_NAME_BYTES] = "records of names";
	static const char then_name[KFT_TASK_NAME_BYTES] = "and another";
	struct tmpdir *d = *state;
	struct kft_sink *s = create(d, NULL);
	struct kft_meta m = {};
	size_t len;
	int fd = -1;

	sample_meta(&m);
	assert_int_equal(s->ops->begin(s, &m, NULL), 0);
	write_pages(s, 0, 0, 2);
	assert_int_equal(s->ops->cpu_fd(s, 0, &fd, NULL), 0);
	assert_int_equal(kft_write_all(fd, "torn", 4), 0);
	assert_int_equal(s->ops->lost(s, &lost), 0);
	s->ops->names(s, first_name, sizeof(first_name));
	s->ops->names(s, "torn", 4);
	s->ops->destroy(s);

	assert_int_equal(kft_tracedat_sink_resume(tmpdir_path(d, "x"), &opts, &s, NULL),
			 0);
	assert_int_equal(s->ops->begin(s, &shape, NULL), 0);
	s->ops->names(s, then_name, sizeof(then_name));
	assert_int_equal(s->ops->modules(s, "old", 3), 0);
	assert_int_equal(s->ops->modules(s, "new", 3), 0);
	_cleanup_free_ uint8_t *modules = tmpdir_read(d, "x.parts/modules", &len);
	assert_int_equal(len, 3);
	assert_memory_equal(modules, "new", 3);
	write_pages(s, 0, 700, 1);
	write_pages(s, 1, 1000, 1);
	assert_int_equal(s->ops->lost(s, &lost), 0);
	_cleanup_free_ uint8_t *pages = tmpdir_read(d, "x.parts/cpu0", &len);
	assert_int_equal(len, 3 * SAMPLE_PAGE_BYTES);
	_cleanup_free_ uint8_t *ranges = tmpdir_read(d, "x.parts/lost", &len);
	assert_int_equal(len, 2 * KFT_LOST_RECORD_BYTES);
	assert_int_equal(s->ops->end(s, &m, NULL), 0);
	s->ops->destroy(s);
	assert_int_equal(tmpdir_count(d), 1);
	_cleanup_free_ uint8_t *file = tmpdir_read(d, "x", &len);
	const uint8_t *names = memmem(file, len, first_name, sizeof(first_name));
	assert_non_null(names);
	assert_memory_equal(names + sizeof(first_name), then_name, sizeof(then_name));
	assert_file_has(d, SAMPLE_EVENTS_IN_PAGE, SAMPLE_EVENTS_IN_PAGE);
	assert_file_has(d, 700, SAMPLE_EVENTS_IN_PAGE);
	assert_file_has(d, 1000, SAMPLE_EVENTS_IN_PAGE);

	/* A third sink has nothing left to do, and a file that does not exist cannot be resumed. */
	assert_int_equal(kft_tracedat_sink_resume(tmpdir_path(d, "x"), &opts, &s, NULL),
			 0);
	assert_int_equal(s->ops->begin(s, &shape, NULL), -EALREADY);
	s->ops->destroy(s);
	assert_file_has(d, 700, SAMPLE_EVENTS_IN_PAGE);
	assert_int_equal(kft_tracedat_sink_resume(tmpdir_path(d, "y"), &opts, &s, NULL),
			 0);
	assert_int_equal(s->ops->begin(s, &shape, NULL), -ENOENT);
	s->ops->destroy(s);
	assert_int_equal(tmpdir_count(d), 1);
	kft_meta_finish(&m);
}

/* Whoever made a copy was killed: all of it is still where it came from. */
static void a_copy_can_be_written_anew(void **state)
{
	const struct kft_tracedat_opts opts = {.is_copy = true};
	struct tmpdir *d = *state;
	struct kft_sink *s = create(d, &opts);
	struct kft_meta m = {};

	sample_meta(&m);
	assert_int_equal(s->ops->begin(s, &m, NULL), 0);
	write_pages(s, 0, 0, 2);
	s->ops->destroy(s);
	s = create(d, NULL);
	assert_int_equal(s->ops->begin(s, &m, NULL), 0);
	write_pages(s, 0, 700, 1);
	s->ops->destroy(s);
	/* That was none. */
	s = create(d, &opts);
	assert_int_equal(s->ops->begin(s, &m, NULL), -EEXIST);
	s->ops->destroy(s);
	kft_meta_finish(&m);
}

static void version_6_and_bad_options(void **state)
{
	struct tmpdir *d = *state;
	const struct kft_tracedat_opts v6 = {.file_version = 6};
	const struct kft_tracedat_opts v8 = {.file_version = 8};
	struct kft_sink *s = NULL;
	struct kft_err e = {};
	struct kft_meta m = {};
	size_t len;

	assert_int_equal(kft_tracedat_sink_create(tmpdir_path(d, "x"), &v8, &s, &e),
			 -EINVAL);
	sample_meta(&m);
	s = create(d, &v6);
	assert_int_equal(s->ops->begin(s, &m, NULL), 0);
	write_pages(s, 0, 0, 1);
	assert_int_equal(s->ops->end(s, &m, NULL), 0);
	s->ops->destroy(s);
	_cleanup_free_ uint8_t *file = tmpdir_read(d, "x", &len);
	assert_memory_equal(file, KFT_TRACEDAT_MAGIC "6", KFT_TRACEDAT_MAGIC_BYTES + 2);
	kft_meta_finish(&m);
}

#define T(f) cmocka_unit_test_setup_teardown(f, tmpdir_setup, tmpdir_teardown)

static const struct CMUnitTest tests[] = {
	T(a_recording_becomes_one_file),
	T(parts_can_be_read_at_any_moment),
	T(a_recording_without_pages_leaves_nothing),
	T(two_recorders_do_not_share_a_file),
	T(a_torn_page_is_mended),
	T(another_sink_goes_on),
	T(a_copy_can_be_written_anew),
	T(version_6_and_bad_options),
};

T_MAIN(tests)
