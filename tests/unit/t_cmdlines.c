// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/cmdlines.h"

static struct kft_task_table table;
static size_t bad;

static void names_may_hold_anything_but_a_line_end(void **state)
{
	static const char text[] = "1 systemd\n12 tmux: server\n13  lead\n14 \n15 last";

	assert_int_equal(kft_cmdlines_parse(text, strlen(text), &table, &bad), 0);
	assert_int_equal(bad, 0);
	assert_string_equal(kft_task_comm(&table, 1), "systemd");
	assert_string_equal(kft_task_comm(&table, 12), "tmux: server");
	assert_string_equal(kft_task_comm(&table, 13), " lead");
	assert_string_equal(kft_task_comm(&table, 14), "");
	assert_string_equal(kft_task_comm(&table, 15), "last");
	assert_string_equal(kft_task_comm(&table, 16), "<...>");
}

static void thread_groups_are_kept_beside_names(void **state)
{
	static const char text[] = "12 10\n13 10\n14\n15 x\n99999999999 1\n";

	assert_int_equal(kft_cmdlines_parse("12 a\n", 5, &table, &bad), 0);
	assert_int_equal(kft_tgids_parse(text, strlen(text), &table, &bad), 0);
	assert_int_equal(bad, 3);
	assert_int_equal(kft_task_get(&table, 12)->tgid, 10);
	assert_string_equal(kft_task_get(&table, 12)->comm, "a");
	assert_null(kft_task_get(&table, 14));
}

static void bad_lines_are_counted(void **state)
{
	static const char text[] = "x y\n\n4294967296 big\n7\n-3 neg\n";

	assert_int_equal(kft_cmdlines_parse(text, strlen(text), &table, &bad), 0);
	assert_int_equal(bad, 4);
	assert_int_equal(kft_cmdlines_parse(NULL, 0, &table, &bad), 0);
	assert_int_equal(bad, 0);
}

static int finish(void **state)
{
	kft_task_table_finish(&table);
	table = (struct kft_task_table){};
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(names_may_hold_anything_but_a_line_end, finish),
	cmocka_unit_test_teardown(thread_groups_are_kept_beside_names, finish),
	cmocka_unit_test_teardown(bad_lines_are_counted, finish),
};

T_MAIN(tests)
