// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "tracefs/sources/pids.h"
#include "fake.h"

static int set(struct fake *f, bool follow, struct kft_err *e)
{
	struct kft_plan plan = {.follow_children = follow};

	assert_int_equal(kft_plan_add_pid(&plan, 100, NULL), 0);
	assert_int_equal(kft_plan_add_pid(&plan, 200, NULL), 0);
	struct kft_ledger ledger = {.host = f->host, .dir_fd = -1};
	struct kft_tracefs_dir place = {.ledger = &ledger, .fd = f->host->root_fd};
	int r = kft_pids_set_events(&place, &plan, e);
	kft_plan_finish(&plan);
	return r;
}

static void count_lines(const char *text, const char *line, size_t expected)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, line)); p += strlen(line))
		n++;
	assert_int_equal(n, expected);
}

static void all_threads_are_listed_once(void **state)
{
	struct fake *f = *state;

	fake_write(f, "set_event_pid", "");
	fake_write(f, "options/event-fork", "0\n");
	fake_mkdir(f, "proc/100/task/100");
	fake_mkdir(f, "proc/100/task/101");
	fake_mkdir(f, "proc/200/task/200");
	assert_int_equal(set(f, false, NULL), 0);
	const char *text = fake_read(f, "set_event_pid");
	assert_int_equal(strlen(text), strlen("100\n101\n200\n"));
	count_lines(text, "100\n", 1);
	count_lines(text, "101\n", 1);
	count_lines(text, "200\n", 1);
	assert_string_equal(fake_read(f, "options/event-fork"), "0\n");
	fake_write(f, "set_event_pid", "");
	assert_int_equal(set(f, true, NULL), 0);
	assert_string_equal(fake_read(f, "options/event-fork"), "1");
}

static void a_missing_process_is_named(void **state)
{
	struct fake *f = *state;
	struct kft_err e;

	fake_write(f, "set_event_pid", "");
	fake_mkdir(f, "proc/100/task/100");
	assert_int_equal(set(f, false, &e), -ESRCH);
	assert_string_equal(e.msg, "no such process: 200");
	assert_string_equal(fake_read(f, "set_event_pid"), "");
}

static void without_the_option_children_cannot_be_followed(void **state)
{
	struct fake *f = *state;
	struct kft_err e;

	fake_write(f, "set_event_pid", "");
	assert_int_equal(set(f, true, &e), -ENOENT);
	assert_non_null(strstr(e.msg, "children"));
}

#define FAKE_TEST(fn) cmocka_unit_test_setup_teardown(fn, fake_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(all_threads_are_listed_once),
	FAKE_TEST(a_missing_process_is_named),
	FAKE_TEST(without_the_option_children_cannot_be_followed),
};

T_MAIN(tests)
