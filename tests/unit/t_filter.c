// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "tracefs/sources/filter.h"
#include "fake.h"

static void assert_last(const char *log, const char *what, size_t pos)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	size_t got = 12345;

	assert_true(kft_error_log_last(log, &sb, &got));
	assert_string_equal(kft_strbuf_cstr(&sb), what);
	assert_int_equal(got, pos);
}

static void the_last_entry_counts(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	size_t pos;

	assert_last("[ 1.0] event filter parse error: error: First\n"
		    "  Command: a == 1\n           ^\n"
		    "[ 2.0] event filter parse error: error: Field not found\n"
		    "  Command: prev_pid == 1 && b == 2\n"
		    "                            ^\n",
		    "Field not found", 17);
	assert_false(kft_error_log_last("", &sb, &pos));
	assert_false(kft_error_log_last("garbage\n", &sb, &pos));
}

static void odd_logs_are_survived(void **state)
{
	assert_last("x: error: Cut", "Cut", 0);
	assert_last("x: error: Cut\n  Command: a", "Cut", 0);
	assert_last("x: error: Cut\n^", "Cut", 0);
	assert_last("x: error: Cut\n  Command: a\n ^", "Cut", 0);
	assert_last("x: error: Two\n  Command: a ==\nb ^ 2\n             ^\n", "Two", 2);
}

static void the_filter_is_written_as_it_is(void **state)
{
	struct fake *f = *state;

	fake_write(f, "events/sched/sched_switch/filter", "a much longer filter\n");
	assert_int_equal(kft_filter_set(f->host->root_fd, "sched", "sched_switch",
					"prev_pid == 3", NULL),
			 0);
	assert_string_equal(fake_read(f, "events/sched/sched_switch/filter"),
			    "prev_pid == 3");
}

static void other_refusals_are_plain(void **state)
{
	struct fake *f = *state;
	struct kft_err e;

	assert_int_equal(kft_filter_set(f->host->root_fd, "a", "b", "x == 1", &e),
			 -ENOENT);
	assert_string_equal(e.msg, "cannot set the filter 'x == 1' of a:b: No such file "
				   "or directory");
}

#define FAKE_TEST(fn) cmocka_unit_test_setup_teardown(fn, fake_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_last_entry_counts),
	cmocka_unit_test(odd_logs_are_survived),
	FAKE_TEST(the_filter_is_written_as_it_is),
	FAKE_TEST(other_refusals_are_plain),
};

T_MAIN(tests)
