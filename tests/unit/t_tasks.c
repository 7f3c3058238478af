// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "capture/tasks.h"
#include "tracefs/control/mount.h"
#include "fake.h"

static const char *comm(const struct kft_tasks *t, uint32_t pid)
{
	return kft_task_comm(&t->table, pid);
}

static void begin(struct fake *f, struct kft_tasks *t)
{
	int fd;

	assert_int_equal(kft_tracefs_open(f->host, &fd, NULL), 0);
	assert_int_equal(kft_tasks_begin(t, f->host), 0);
}

static void proc_wins_over_stale_names(void **state)
{
	struct fake *f = *state;
	_cleanup_(kft_tasks_finish) struct kft_tasks t = {};

	fake_write(f, FAKE_TRACEFS "/saved_cmdlines", "10 stale\n11 gone\n");
	fake_write(f, FAKE_TRACEFS "/saved_tgids", "11 9\n");
	fake_write(f, "proc/10/task/10/comm", "fresh\n");
	fake_write(f, "proc/10/task/12/comm", "a thread\n");
	fake_write(f, "proc/self/task/13/comm", "no number\n");
	begin(f, &t);
	assert_string_equal(comm(&t, 10), "fresh");
	assert_string_equal(comm(&t, 11), "gone");
	assert_string_equal(comm(&t, 12), "a thread");
	assert_string_equal(comm(&t, 13), "<...>");
	assert_int_equal(kft_task_get(&t.table, 12)->tgid, 10);
	assert_int_equal(kft_task_get(&t.table, 11)->tgid, 9);
}

static void news_win_and_are_kept(void **state)
{
	struct fake *f = *state;
	_cleanup_(kft_tasks_finish) struct kft_tasks t = {};
	bool changed;

	fake_write(f, FAKE_TRACEFS "/saved_cmdlines", "10 stale\n");
	fake_write(f, "proc/10/task/10/comm", "fresh\n");
	begin(f, &t);
	assert_int_equal(kft_tasks_refresh(&t, f->host, &changed), 0);
	assert_false(changed);
	/* The old line says no more than before; the new one does. */
	fake_write(f, FAKE_TRACEFS "/saved_cmdlines", "10 stale\n20 born\n");
	assert_int_equal(kft_tasks_refresh(&t, f->host, &changed), 0);
	assert_true(changed);
	assert_string_equal(comm(&t, 10), "fresh");
	assert_string_equal(comm(&t, 20), "born");
	fake_write(f, FAKE_TRACEFS "/saved_cmdlines", "10 exec'd\n");
	assert_int_equal(kft_tasks_refresh(&t, f->host, &changed), 0);
	assert_string_equal(comm(&t, 10), "exec'd");
	assert_string_equal(comm(&t, 20), "born");
}

static void the_last_name_of_all_wins(void **state)
{
	struct fake *f = *state;
	_cleanup_(kft_task_table_finish) struct kft_task_table names = {};
	_cleanup_(kft_tasks_finish) struct kft_tasks t = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comms = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tgids = {};

	fake_write(f, FAKE_TRACEFS "/saved_cmdlines", "10 sh\n");
	begin(f, &t);
	assert_true(kft_vec_push(
		&names.names,
		((struct kft_task_name){.ts = 5, .pid = 10, .comm = "true"})));
	assert_true(
		kft_vec_push(&names.names,
			     ((struct kft_task_name){.ts = 4, .pid = 10, .comm = "sh"})));
	assert_int_equal(kft_task_table_sort(&names), 0);
	assert_int_equal(kft_tasks_take_names(&t, &names), 0);
	kft_tasks_text(&t, &comms, &tgids);
	assert_string_equal(kft_strbuf_cstr(&comms), "10 true\n");
}

static void a_name_that_other_readers_stop_at_is_left_out(void **state)
{
	struct fake *f = *state;
	_cleanup_(kft_tasks_finish) struct kft_tasks t = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comms = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tgids = {};
	bool changed;

	fake_write(f, FAKE_TRACEFS "/saved_cmdlines", "");
	begin(f, &t);
	fake_write(f, FAKE_TRACEFS "/saved_cmdlines", "10 \n11  \t\n12  x\n13 a b\n");
	assert_int_equal(kft_tasks_refresh(&t, f->host, &changed), 0);
	kft_tasks_text(&t, &comms, &tgids);
	assert_null(strstr(kft_strbuf_cstr(&comms), "10"));
	assert_null(strstr(kft_strbuf_cstr(&comms), "11"));
	assert_non_null(strstr(kft_strbuf_cstr(&comms), "12  x\n"));
	assert_non_null(strstr(kft_strbuf_cstr(&comms), "13 a b\n"));
}

static void texts_are_the_kernels(void **state)
{
	struct fake *f = *state;
	_cleanup_(kft_tasks_finish) struct kft_tasks t = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comms = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tgids = {};

	fake_write(f, FAKE_TRACEFS "/saved_cmdlines", "nonsense\n\n-1 x\n0 idle\n");
	fake_write(f, FAKE_TRACEFS "/saved_tgids", "");
	fake_write(f, "proc/10/task/10/comm", "two\nlines\n");
	begin(f, &t);
	kft_tasks_text(&t, &comms, &tgids);
	assert_string_equal(kft_strbuf_cstr(&comms), "10 two?lines\n");
	assert_string_equal(kft_strbuf_cstr(&tgids), "10 10\n");
}

static void kernel_threads_are_known(void **state)
{
	struct fake *f = *state;
	_cleanup_(kft_tasks_finish) struct kft_tasks t = {};

	fake_write(f, FAKE_TRACEFS "/saved_cmdlines", "");
	fake_write(f, FAKE_TRACEFS "/saved_tgids", "");
	fake_write(f, "proc/10/task/10/comm", "odd) S 1\n");
	fake_write(f, "proc/10/task/10/stat",
		   "10 (odd) S 1) S 2 0 0 0 -1 69238880 0 0\n");
	fake_write(f, "proc/11/task/11/comm", "user\n");
	fake_write(f, "proc/11/task/11/stat", "11 (user) S 2 0 0 0 -1 4194560 0 0\n");
	begin(f, &t);
	assert_true(kft_task_get(&t.table, 10)->is_kernel);
	assert_false(kft_task_get(&t.table, 11)->is_kernel);
}

static void missing_tables_are_no_error(void **state)
{
	struct fake *f = *state;
	_cleanup_(kft_tasks_finish) struct kft_tasks t = {};
	bool changed = true;

	fake_remove(f, FAKE_TRACEFS "/saved_cmdlines");
	fake_remove(f, FAKE_TRACEFS "/saved_tgids");
	begin(f, &t);
	assert_int_equal(kft_tasks_refresh(&t, f->host, &changed), 0);
	assert_false(changed);
}

#define FAKE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(proc_wins_over_stale_names),
	FAKE_TEST(news_win_and_are_kept),
	FAKE_TEST(the_last_name_of_all_wins),
	FAKE_TEST(texts_are_the_kernels),
	FAKE_TEST(a_name_that_other_readers_stop_at_is_left_out),
	FAKE_TEST(kernel_threads_are_known),
	FAKE_TEST(missing_tables_are_no_error),
};

T_MAIN(tests)
