// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "fake.h"
#include "model/scope.h"
#include "watch/status.h"

static void open_dir(const struct fake *f, struct kft_rundir *ret)
{
	fake_mkdir(f, "run");
	assert_int_equal(kft_rundir_open(f->host, "a", true, ret, NULL), 0);
}

static void what_is_said_can_be_read(void **state)
{
	struct kft_condition conditions[2] = {};
	const struct kft_watch_opts opts = {.conditions = {conditions, 2}};
	struct kft_watch_tally_row rows[2] = {
		{.times = 7, .last = 1000000000, .why = "irq\t24: 6 ms"}};
	struct kft_watch_tally tally = {&opts, rows, KFT_LOST_UNKNOWN, .in_kernel = true};
	struct kft_watch_done done = {
		.files = 3, .last_file = "/a\nb", .trouble = "no\n"};
	_cleanup_(kft_watch_said_finish) struct kft_watch_said said = {};
	struct kft_rundir dir;

	assert_int_equal(
		kft_condition_parse("mark:a\nb\tc do stop", &conditions[0], NULL), 0);
	assert_int_equal(kft_condition_parse("irq > 1s do stop", &conditions[1], NULL),
			 0);
	open_dir(*state, &dir);
	assert_int_equal(kft_watch_said_read(&dir, &said), -ENOENT);
	kft_watch_say(&dir, &tally, &done);
	assert_int_equal(kft_watch_said_read(&dir, &said), 0);
	assert_int_equal(said.rows.len, 2);
	assert_string_equal(said.rows.data[0].condition, "mark:a\\nb\\tc");
	assert_string_equal(said.rows.data[0].why, "irq\\t24: 6 ms");
	assert_int_equal(said.rows.data[0].times, 7);
	assert_int_equal(said.rows.data[0].last_s, 1000000000);
	assert_string_equal(said.rows.data[1].condition, "irq > 1s");
	assert_string_equal(said.rows.data[1].why, "");
	assert_false(said.rows.data[0].in_kernel);
	assert_true(said.rows.data[1].in_kernel);
	assert_null(said.along);
	assert_true(said.missed == KFT_LOST_UNKNOWN);
	assert_int_equal(said.files, 3);
	assert_string_equal(said.last_file, "/a\\nb");
	assert_string_equal(said.trouble, "no\\n");
	kft_watch_said_finish(&said);
	tally.in_kernel = false;
	(void)snprintf(tally.along, sizeof(tally.along), "it has\tnone");
	kft_watch_say(&dir, &tally, &done);
	assert_int_equal(kft_watch_said_read(&dir, &said), 0);
	assert_false(said.rows.data[1].in_kernel);
	assert_string_equal(said.along, "it has\\tnone");
	kft_rundir_close(&dir);
	kft_condition_finish(&conditions[0]);
	kft_condition_finish(&conditions[1]);
}

static void what_is_not_understood_says_nothing(void **state)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"on",
		"on\t1\t2\tx",
		"on\t-1\t2\tx\ty",
		"\t",
		"x\t1",
		"missed\tmany",
		"snapshots\t3",
		"  on irq: came",
		"on\t1\t\tx\ty",
		"trouble",
		"snapshots\tx\ty",
	};
	struct kft_rundir dir;

	open_dir(*state, &dir);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(kft_watch_said_finish) struct kft_watch_said said = {};

		fake_write(*state, "run/kft/a/watches", texts[i]);
		assert_int_equal(kft_watch_said_read(&dir, &said), 0);
		assert_int_equal(said.rows.len + said.missed + said.files, 0);
		assert_null(said.trouble);
		assert_null(said.last_file);
	}
	kft_rundir_close(&dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_said_can_be_read, fake_setup,
						fake_teardown),
		cmocka_unit_test_setup_teardown(what_is_not_understood_says_nothing,
						fake_setup, fake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
