// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdio.h>
#include <sys/mman.h>

#include "base/io.h"
#include "file/kftlog/read.h"

#define ROWS "--------\n"

struct reading {
	struct kft_log log;
	struct kft_intern names;
	struct kft_call call;
	int fd;
};

static void start(struct reading *r, const char *text)
{
	*r = (struct reading){.fd = memfd_create("t_kftlog", MFD_CLOEXEC)};
	assert_true(r->fd >= 0);
	assert_int_equal(kft_write_all(r->fd, text, strlen(text)), 0);
	assert_int_equal(lseek(r->fd, 0, SEEK_SET), 0);
	assert_int_equal(kft_log_init(&r->log, r->fd), 0);
}

static int next(struct reading *r)
{
	return kft_log_next(&r->log, &r->names, &r->call);
}

static void stop(struct reading *r)
{
	kft_log_finish(&r->log);
	kft_intern_finish(&r->names);
	(void)close(r->fd);
}

static void expect(struct reading *r, uint64_t entry_us, enum kft_call_end end,
		   uint64_t dur_us, int pid, int cpu, const char *func,
		   const char *caller)
{
	assert_int_equal(next(r), 1);
	assert_int_equal(r->call.entry_ns, entry_us * 1000);
	assert_int_equal(r->call.end, end);
	assert_int_equal(r->call.dur_ns, dur_us * 1000);
	assert_int_equal(r->call.pid, pid);
	assert_int_equal(r->call.cpu, cpu);
	assert_string_equal(kft_intern_text(&r->names, r->call.func), func);
	assert_string_equal(kft_intern_text(&r->names, r->call.caller), caller);
}

static void rows_of_all_versions_are_read(void **state)
{
	struct reading r;

	start(&r, ROWS "  10   20   3   f   g+0x5\n"
		       "11\t-1\t3.2\tf\tg\r\n"
		       "12 -2 -1.15 0xc0100000 0xc0200000\n"
		       "13 no exit 4 f L6+0x0\n"
		       "14 0 4 f g+0x1 0xfp 0x1 0x2 0x3\n"
		       "15 no exit 4 f g+0x1 0xfp a b c\n");
	expect(&r, 10, KFT_CALL_ENDED, 20, 3, -1, "f", "g");
	assert_null(r.call.args);
	expect(&r, 11, KFT_CALL_OPEN, 0, 3, 2, "f", "g");
	expect(&r, 12, KFT_CALL_WATCHED, 0, -1, 15, "0xc0100000", "0xc0200000");
	expect(&r, 13, KFT_CALL_OPEN, 0, 4, -1, "f", "L6");
	expect(&r, 14, KFT_CALL_ENDED, 0, 4, -1, "f", "g");
	assert_int_equal(r.call.args_len, 11);
	assert_memory_equal(r.call.args, "0x1 0x2 0x3", 11);
	expect(&r, 15, KFT_CALL_OPEN, 0, 4, -1, "f", "g");
	assert_memory_equal(r.call.args, "a b c", 5);
	assert_int_equal(next(&r), 0);
	assert_int_equal(r.log.bad_lines, 0);
	assert_int_equal(r.log.rows, 6);
	stop(&r);
}

static void what_is_no_row_is_counted(void **state)
{
	static const char *const bad[] = {
		"1 2 3 f",
		"x 2 3 f g",
		"1 x 3 f g",
		"1 -3 3 f g",
		"1 2 -2 f g",
		"1 2 3. f g",
		"1 2 3.x f g",
		"1 2 . f g",
		"1 2 - f g",
		"1 2 99999999999 f g",
		"1234567890123456789 2 3 f g",
		"999999999999999999 2 3 f g",
		"-1 2 3 f g",
		"no exit",
	};
	char text[64];
	struct reading r;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		(void)snprintf(text, sizeof(text), ROWS "\n%s\n1 2 3 f g\n", bad[i]);
		start(&r, text);
		expect(&r, 1, KFT_CALL_ENDED, 2, 3, -1, "f", "g");
		assert_int_equal(r.log.bad_lines, 1);
		assert_int_equal(r.log.first_bad, 3);
		stop(&r);
	}
}

static void lines_too_long_cost_one_line(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct reading r;

	kft_strbuf_adds(&sb, ROWS);
	kft_strbuf_fill(&sb, '1', 3 * KFT_LINE_MAX);
	kft_strbuf_adds(&sb, " 2 3 f g\n4 5 6 f g\n");
	start(&r, kft_strbuf_cstr(&sb));
	expect(&r, 4, KFT_CALL_ENDED, 5, 6, -1, "f", "g");
	assert_int_equal(r.log.bad_lines, 1);
	stop(&r);
}

static void a_header_says_how_many_rows_there_are(void **state)
{
	struct reading r;

	start(&r, "\nKernel Instrumentation Run ID 3\n\n1 2 3 f g\n"
		  "Number of entries after filters = 2\n\n" ROWS "1 2 3 f g\n");
	expect(&r, 1, KFT_CALL_ENDED, 2, 3, -1, "f", "g");
	assert_int_equal(r.log.run, 1);
	assert_int_equal(next(&r), 0);
	assert_true(r.log.has_expected);
	assert_int_equal(r.log.expected, 2);
	assert_int_equal(r.log.rows, 1);
	stop(&r);
}

static void logs_can_follow_one_another(void **state)
{
	struct reading r;

	start(&r,
	      ROWS "1 2 3 f g\n" ROWS "2 2 3 f g\n"
		   "Kernel Instrumentation Run ID 1\n5 5 5 no row\n" ROWS "1 2 3 h g\n");
	expect(&r, 1, KFT_CALL_ENDED, 2, 3, -1, "f", "g");
	expect(&r, 2, KFT_CALL_ENDED, 2, 3, -1, "f", "g");
	assert_int_equal(r.log.run, 1);
	expect(&r, 1, KFT_CALL_ENDED, 2, 3, -1, "h", "g");
	assert_int_equal(r.log.run, 2);
	assert_int_equal(r.log.bad_lines, 0);
	stop(&r);
}

static void a_text_without_rows_is_no_log(void **state)
{
	struct reading r;

	start(&r, "1 2 3 f g\n-------\n");
	assert_int_equal(next(&r), 0);
	assert_int_equal(r.log.run, 0);
	stop(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(rows_of_all_versions_are_read),
	cmocka_unit_test(what_is_no_row_is_counted),
	cmocka_unit_test(lines_too_long_cost_one_line),
	cmocka_unit_test(a_header_says_how_many_rows_there_are),
	cmocka_unit_test(logs_can_follow_one_another),
	cmocka_unit_test(a_text_without_rows_is_no_log),
};

T_MAIN(tests)
