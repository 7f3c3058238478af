// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/io.h"
#include "tracefs/drain/pump.h"

#define PAGE 4096

static int temp_file(int flags)
{
	char path[] = "/tmp/kft-pump.XXXXXX";
	int fd = mkostemp(path, flags | O_CLOEXEC);

	assert_true(fd >= 0);
	(void)unlink(path);
	return fd;
}

/* A file of n bytes, each with its place in it. */
static int source(size_t n)
{
	int fd = temp_file(0);

	for (size_t i = 0; i < n; i++) {
		uint8_t c = i / 7;

		assert_int_equal(kft_pwrite_all(fd, &c, 1, i), 0);
	}
	return fd;
}

static void assert_copied(int to, size_t n, size_t zeros)
{
	_cleanup_free_ uint8_t *buf = malloc(n + zeros + 1);

	assert_int_equal(pread(to, buf, n + zeros + 1, 0), n + zeros);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(buf[i], (uint8_t)(i / 7));
	for (size_t i = n; i < n + zeros; i++)
		assert_int_equal(buf[i], 0);
}

static void run(int from, int to, ssize_t expected)
{
	enum kft_pump_side side;
	struct kft_pump p;
	ssize_t total = 0;
	ssize_t n;

	assert_int_equal(kft_pump_open(&p, from, to, PAGE), 0);
	while ((n = kft_pump_pages(&p, &side)) > 0)
		total += n;
	assert_int_equal(n, 0);
	assert_int_equal(total, expected);
	kft_pump_close(&p);
	kft_pump_close(&p);
}

static void pages_are_spliced(void **state)
{
	int from = source(3 * PAGE);
	int to = temp_file(0);

	run(from, to, 3 * PAGE);
	assert_copied(to, 3 * PAGE, 0);
	(void)close(from);
	(void)close(to);
}

static void or_copied_where_that_cannot_be(void **state)
{
	int from = source(40 * PAGE);
	int to = temp_file(O_APPEND);

	run(from, to, 40 * PAGE);
	assert_copied(to, 40 * PAGE, 0);
	(void)close(from);
	(void)close(to);
}

static void the_rest_is_filled_up(void **state)
{
	enum kft_pump_side side;
	int from = source(PAGE + 100);
	int to = temp_file(0);
	struct kft_pump p;

	assert_int_equal(kft_pump_open(&p, from, to, PAGE), 0);
	assert_int_equal(kft_pump_rest(&p, &side), PAGE);
	assert_int_equal(kft_pump_rest(&p, &side), PAGE);
	assert_int_equal(kft_pump_rest(&p, &side), 0);
	assert_copied(to, PAGE + 100, PAGE - 100);
	kft_pump_close(&p);
	(void)close(from);
	(void)close(to);
}

static void a_full_disk_is_the_files_fault(void **state)
{
	enum kft_pump_side side = KFT_PUMP_FROM;
	int from = source(PAGE);
	int to = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct kft_pump p;

	assert_int_equal(kft_pump_open(&p, from, to, PAGE), 0);
	assert_int_equal(kft_pump_pages(&p, &side), -ENOSPC);
	assert_int_equal(side, KFT_PUMP_TO);
	kft_pump_close(&p);
	(void)close(from);
	(void)close(to);
}

static void an_unreadable_source_is_the_kernels(void **state)
{
	enum kft_pump_side side = KFT_PUMP_TO;
	int from = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int to = temp_file(0);
	struct kft_pump p;

	assert_int_equal(kft_pump_open(&p, from, to, PAGE), 0);
	assert_true(kft_pump_pages(&p, &side) < 0);
	assert_int_equal(side, KFT_PUMP_FROM);
	side = KFT_PUMP_TO;
	assert_int_equal(kft_pump_rest(&p, &side), -EISDIR);
	assert_int_equal(side, KFT_PUMP_FROM);
	kft_pump_close(&p);
	(void)close(from);
	(void)close(to);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(pages_are_spliced),
	cmocka_unit_test(or_copied_where_that_cannot_be),
	cmocka_unit_test(the_rest_is_filled_up),
	cmocka_unit_test(a_full_disk_is_the_files_fault),
	cmocka_unit_test(an_unreadable_source_is_the_kernels),
};

T_MAIN(tests)
