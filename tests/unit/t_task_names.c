// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "base/strbuf.h"
#include "decode/task_names.h"

static void add(struct kft_strbuf *sb, uint64_t ts, uint32_t pid, const char *comm)
{
	struct kft_task_name name = {.ts = ts, .pid = pid};

	memcpy(name.comm, comm, KFT_MIN(strlen(comm), sizeof(name.comm) - 1));
	kft_task_name_encode(sb, &name);
}

static void a_name_holds_until_the_next(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_task_table t = {};

	add(&sb, 300, 7, "third");
	add(&sb, 100, 7, "first");
	add(&sb, 150, 8, "a name that is cut");
	add(&sb, 200, 7, "second");
	assert_int_equal(kft_task_set_comm(&t, 7, "table", 5), 0);
	assert_int_equal(kft_task_set_comm(&t, 9, "table", 5), 0);
	/* An incomplete record is ignored. */
	assert_int_equal(kft_task_names_parse(sb.buf, sb.len - 1, &t), 0);
	assert_int_equal(t.names.len, 3);
	kft_vec_finish(&t.names);
	kft_map_finish(&t.names_of);
	assert_int_equal(kft_task_names_parse(sb.buf, sb.len, &t), 0);

	assert_string_equal(kft_task_comm_at(&t, 7, 99), "<...>");
	assert_string_equal(kft_task_comm_at(&t, 7, 100), "first");
	assert_string_equal(kft_task_comm_at(&t, 7, 199), "first");
	assert_string_equal(kft_task_comm_at(&t, 7, 200), "second");
	assert_string_equal(kft_task_comm_at(&t, 7, UINT64_MAX), "third");
	assert_string_equal(kft_task_comm_at(&t, 8, 150), "a name that is ");
	assert_string_equal(kft_task_comm_at(&t, 9, 1), "table");
	assert_string_equal(kft_task_comm_at(&t, 0, 1), "<idle>");
	struct kft_task_span s = kft_task_span_at(&t, 7, 250);
	assert_true(s.since == 200 && s.until == 300);
	s = kft_task_span_at(&t, 8, 1000);
	assert_true(s.since == 150 && s.until == UINT64_MAX);
	kft_task_table_finish(&t);
}

/* A thread of the kernel is born as kthreadd, and stays one by its own name. */
static void kernel_threads_are_known(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_task_table t = {};

	kft_task_name_encode(
		&sb, &(struct kft_task_name){
			     .ts = 10, .pid = 7, .is_kernel = true, .comm = "kthreadd"});
	kft_task_name_encode(&sb, &(struct kft_task_name){.ts = 11,
							  .pid = 7,
							  .is_renamed = true,
							  .comm = "my-thread"});
	add(&sb, 20, 7, "the pid's next");
	add(&sb, 0, 8, "kworker/0:1-ev");
	assert_int_equal(kft_task_names_parse(sb.buf, sb.len, &t), 0);
	assert_true(kft_task_is_kernel(&t, 7, 10));
	assert_true(kft_task_is_kernel(&t, 7, 19));
	assert_false(kft_task_is_kernel(&t, 7, 20));
	assert_true(kft_task_is_kernel(&t, 8, 1));
	assert_false(kft_task_is_kernel(&t, 9, 1));
	kft_task_table_finish(&t);
}

/* Names without effect after a time are dropped; all later look-ups give the same. */
static void names_that_are_over_can_be_left_out(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf all = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf left = {};
	struct kft_task_table t = {};

	kft_task_name_encode(
		&all, &(struct kft_task_name){
			      .ts = 10, .pid = 7, .is_kernel = true, .comm = "kthreadd"});
	kft_task_name_encode(&all, &(struct kft_task_name){.ts = 20,
							   .pid = 7,
							   .is_renamed = true,
							   .comm = "my-thread"});
	add(&all, 30, 8, "old");
	add(&all, 50, 8, "now");
	add(&all, 60, 8, "later");
	add(&all, 0, 9, "always");
	assert_int_equal(kft_task_names_since(all.buf, all.len, 50, &left), 0);
	assert_int_equal(left.len, 4 * KFT_TASK_NAME_BYTES);
	assert_int_equal(kft_task_names_parse(left.buf, left.len, &t), 0);
	assert_string_equal(kft_task_comm_at(&t, 7, 50), "my-thread");
	assert_true(kft_task_is_kernel(&t, 7, 50));
	assert_string_equal(kft_task_comm_at(&t, 8, 50), "now");
	assert_string_equal(kft_task_comm_at(&t, 8, 60), "later");
	assert_string_equal(kft_task_comm_at(&t, 9, 50), "always");
	kft_task_table_finish(&t);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(names_that_are_over_can_be_left_out),
	cmocka_unit_test(kernel_threads_are_known),
	cmocka_unit_test(a_name_holds_until_the_next),
};

T_MAIN(tests)
