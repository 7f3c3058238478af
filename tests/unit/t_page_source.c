// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "base/io.h"
#include "file/tracedat/read/page_source.h"
#include "sample.h"

static void count(void *arg, uint64_t bytes)
{
	*(uint64_t *)arg += bytes;
}

static void assert_file_is(int fd, const char *want, size_t len)
{
	size_t have;
	_cleanup_free_ uint8_t *data = sample_content(fd, &have);

	assert_int_equal(have, len);
	assert_memory_equal(data, want, len);
}

static void a_range_of_a_file_and_a_tail(void **state)
{
	_cleanup_close_ int in = sample_file();
	_cleanup_close_ int out = sample_file();
	uint64_t copied = 0;
	uint64_t bytes = 0;
	uint64_t pos = 3;
	char some[8];

	assert_int_equal(kft_write_all(in, "..abcdef..", 10), 0);
	struct kft_page_source s = {
		.fd = in, .offset = 2, .bytes = 6, .tail = "XY", .tail_bytes = 2};
	assert_int_equal(kft_page_source_copy(&s, out, 3, count, &copied, &bytes), 0);
	assert_file_is(out, "\0\0\0abcdefXY", 11);
	assert_int_equal(copied, 8);
	assert_int_equal(bytes, 8);

	assert_int_equal(kft_page_source_read(&s, &pos, some, 4), 4);
	assert_memory_equal(some, "defX", 4);
	assert_int_equal(kft_page_source_read(&s, &pos, some, 4), 1);
	assert_memory_equal(some, "Y", 1);
	assert_int_equal(kft_page_source_read(&s, &pos, some, 4), 0);
}

#define LETTERS (5u << 20) /* more than one step */

/* Returns fewer bytes than asked for, as read() may do. */
static ssize_t letters(void *arg, void *buf, size_t len)
{
	uint64_t *next = arg;
	size_t n = KFT_MIN(len, (size_t)(LETTERS - *next));

	n = KFT_MIN(n, (size_t)70001);
	for (size_t i = 0; i < n; i++)
		((char *)buf)[i] = 'a' + (*next + i) % 26;
	*next += n;
	return n;
}

static void a_function_is_asked_until_it_ends(void **state)
{
	_cleanup_close_ int out = sample_file();
	uint64_t next = 0;
	uint64_t bytes = 0;
	size_t have;

	struct kft_page_source s = {.fd = -1, .read = letters, .arg = &next};
	assert_int_equal(kft_page_source_copy(&s, out, 0, NULL, NULL, &bytes), 0);
	assert_int_equal(bytes, LETTERS);
	_cleanup_free_ uint8_t *data = sample_content(out, &have);
	assert_int_equal(have, LETTERS);
	for (size_t i = 0; i < have; i++)
		if (data[i] != 'a' + i % 26)
			fail_msg("byte %zu is %d", i, data[i]);
}

static void a_file_that_is_too_short_is_an_error(void **state)
{
	_cleanup_close_ int in = sample_pages_fd(0, 1);
	_cleanup_close_ int out = sample_file();
	struct kft_page_source s = {.fd = in, .bytes = 2 * SAMPLE_PAGE_BYTES};
	uint64_t bytes = 7;

	assert_int_equal(kft_page_source_copy(&s, out, 0, NULL, NULL, &bytes), -ENODATA);
	assert_int_equal(bytes, 7);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_range_of_a_file_and_a_tail),
	cmocka_unit_test(a_function_is_asked_until_it_ends),
	cmocka_unit_test(a_file_that_is_too_short_is_an_error),
};

T_MAIN(tests)
