// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/io.h"
#include "base/lines.h"

static int text_fd(const char *text, size_t len)
{
	int fd = memfd_create("t_lines", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(kft_write_all(fd, text, len), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void expect(struct kft_lines *l, const char *text, bool ended, uint64_t number)
{
	struct kft_line line;

	assert_int_equal(kft_lines_next(l, &line), 1);
	assert_int_equal(line.len, strlen(text));
	assert_memory_equal(line.text, text, line.len);
	assert_int_equal(line.ended, ended);
	assert_int_equal(l->number, number);
}

static void lines_come_one_by_one(void **state)
{
	static const char text[] = "one\n\nthree\nlast";
	struct kft_lines l;
	struct kft_line line;
	_cleanup_close_ int fd = text_fd(text, strlen(text));

	assert_int_equal(kft_lines_init(&l, fd), 0);
	expect(&l, "one", true, 1);
	expect(&l, "", true, 2);
	expect(&l, "three", true, 3);
	expect(&l, "last", false, 4);
	assert_int_equal(kft_lines_next(&l, &line), 0);
	assert_int_equal(kft_lines_next(&l, &line), 0);
	kft_lines_finish(&l);
}

static void what_was_read_before_comes_first(void **state)
{
	struct kft_lines l;
	_cleanup_close_ int fd = text_fd("o\nthree", 7);

	assert_int_equal(kft_lines_init(&l, fd), 0);
	kft_lines_unread(&l, "one\ntw", 6);
	expect(&l, "one", true, 1);
	expect(&l, "two", true, 2);
	expect(&l, "three", false, 3);
	kft_lines_finish(&l);
}

static void an_empty_text_has_no_line(void **state)
{
	struct kft_lines l;
	struct kft_line line;
	_cleanup_close_ int fd = text_fd("", 0);

	assert_int_equal(kft_lines_init(&l, fd), 0);
	assert_int_equal(kft_lines_next(&l, &line), 0);
	kft_lines_finish(&l);
}

/* Lines of all lengths around the limit, put together again from their pieces. */
static void long_lines_come_in_pieces(void **state)
{
	static const size_t lens[] = {
		KFT_LINE_MAX - 1, KFT_LINE_MAX,		KFT_LINE_MAX + 1,  0,
		2 * KFT_LINE_MAX, 2 * KFT_LINE_MAX + 1, 20 * KFT_LINE_MAX,
	};
	struct kft_strbuf text = {};
	struct kft_lines l;
	struct kft_line line;

	for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
		kft_strbuf_fill(&text, 'a' + i, lens[i]);
		kft_strbuf_addc(&text, '\n');
	}
	_cleanup_close_ int fd = text_fd(text.buf, text.len);

	assert_int_equal(kft_lines_init(&l, fd), 0);
	for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
		size_t len = 0;

		do {
			assert_int_equal(kft_lines_next(&l, &line), 1);
			assert_true(line.len <= KFT_LINE_MAX);
			assert_int_equal(line.continues, len != 0);
			assert_int_equal(l.number, i + 1);
			for (size_t k = 0; k < line.len; k++)
				if (line.text[k] != (char)('a' + i))
					fail_msg("line %zu has a foreign byte", i);
			len += line.len;
		} while (!line.ended);
		assert_int_equal(len, lens[i]);
	}
	assert_int_equal(kft_lines_next(&l, &line), 0);
	kft_lines_finish(&l);
	kft_strbuf_finish(&text);
}

static void a_pipe_hands_out_what_it_has(void **state)
{
	struct kft_lines l;
	struct kft_line line;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(kft_lines_init(&l, fds[0]), 0);
	assert_int_equal(kft_write_all(fds[1], "a\nb", 3), 0);
	expect(&l, "a", true, 1);
	assert_int_equal(kft_write_all(fds[1], "c\n", 2), 0);
	expect(&l, "bc", true, 2);
	(void)close(fds[1]);
	assert_int_equal(kft_lines_next(&l, &line), 0);
	(void)close(fds[0]);
	kft_lines_finish(&l);
}

static void errors_are_told(void **state)
{
	struct kft_lines l;
	struct kft_line line;

	assert_int_equal(kft_lines_init(&l, -1), 0);
	assert_int_equal(kft_lines_next(&l, &line), -EBADF);
	kft_lines_finish(&l);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(lines_come_one_by_one),
	cmocka_unit_test(what_was_read_before_comes_first),
	cmocka_unit_test(an_empty_text_has_no_line),
	cmocka_unit_test(long_lines_come_in_pieces),
	cmocka_unit_test(a_pipe_hands_out_what_it_has),
	cmocka_unit_test(errors_are_told),
};

T_MAIN(tests)
