// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "model/address_spaces.h"

#define FILE_A 1
#define FILE_B 2

static void map(struct kft_address_spaces *as, uint32_t tgid, uint64_t start,
		uint64_t last, uint32_t file, uint64_t since)
{
	const struct kft_mapping m = {
		.start = start, .last = last, .since = since, .file = file};

	assert_int_equal(kft_address_spaces_map(as, tgid, m, false), 0);
}

static void map_vdso(struct kft_address_spaces *as, uint32_t tgid, uint64_t since)
{
	const struct kft_mapping m = {.start = 0x7000, .last = 0x7fff, .since = since};

	assert_int_equal(kft_address_spaces_map(as, tgid, m, true), 0);
}

/* The number of the file that a task had at an address at a time; 0: it had none. */
static uint32_t file_at(const struct kft_address_spaces *as, uint32_t pid, uint64_t addr,
			uint64_t ts)
{
	const struct kft_mapping *m = kft_address_spaces_find(as, pid, addr, ts);

	return m ? m->file : 0;
}

static void a_later_mapping_replaces_the_part_it_covers(void **state)
{
	_cleanup_(kft_address_spaces_finish) struct kft_address_spaces as = {};

	map(&as, 5, 0x1000, 0x4fff, FILE_A, 10);
	map(&as, 5, 0x2000, 0x2fff, FILE_B, 20);
	assert_int_equal(kft_address_spaces_sort(&as), 0);
	assert_int_equal(file_at(&as, 5, 0x0fff, 30), 0);
	assert_int_equal(file_at(&as, 5, 0x1000, 9), 0);
	assert_int_equal(file_at(&as, 5, 0x1000, 10), FILE_A);
	assert_int_equal(file_at(&as, 5, 0x2000, 19), FILE_A);
	assert_int_equal(file_at(&as, 5, 0x2000, 20), FILE_B);
	assert_int_equal(file_at(&as, 5, 0x2fff, 30), FILE_B);
	assert_int_equal(file_at(&as, 5, 0x3000, 30), FILE_A);
	assert_int_equal(file_at(&as, 5, 0x5000, 30), 0);
	assert_int_equal(file_at(&as, 6, 0x1000, 30), 0);
}

static void a_child_has_the_mappings_its_parent_had_at_the_fork(void **state)
{
	_cleanup_(kft_address_spaces_finish) struct kft_address_spaces as = {};

	map(&as, 5, 0x1000, 0x1fff, FILE_A, 10);
	assert_int_equal(kft_address_spaces_fork(&as, 6, 6, 5, true, 20), 0);
	assert_int_equal(kft_address_spaces_fork(&as, 7, 7, 5, false, 20), 0);
	map(&as, 5, 0x2000, 0x2fff, FILE_A, 30);
	map(&as, 6, 0x1000, 0x1fff, FILE_B, 40);
	assert_int_equal(kft_address_spaces_sort(&as), 0);
	assert_int_equal(file_at(&as, 6, 0x1000, 19), 0);
	assert_int_equal(file_at(&as, 6, 0x1000, 25), FILE_A);
	assert_int_equal(file_at(&as, 6, 0x2000, 50), 0);
	assert_int_equal(file_at(&as, 6, 0x1000, 40), FILE_B);
	assert_int_equal(file_at(&as, 5, 0x1000, 50), FILE_A);
	/* perf makes such forks for tasks that were there; their own mappings follow. */
	assert_int_equal(file_at(&as, 7, 0x1000, 50), 0);
}

static void threads_share_the_mappings_of_their_process(void **state)
{
	_cleanup_(kft_address_spaces_finish) struct kft_address_spaces as = {};

	assert_int_equal(kft_address_spaces_fork(&as, 6, 5, 5, true, 10), 0);
	map(&as, 5, 0x1000, 0x1fff, FILE_A, 20);
	assert_int_equal(kft_address_spaces_thread(&as, 8, 5, 30), 0);
	assert_int_equal(kft_address_spaces_sort(&as), 0);
	assert_int_equal(file_at(&as, 6, 0x1000, 20), FILE_A);
	assert_int_equal(file_at(&as, 8, 0x1000, 30), FILE_A);
}

/* A sample within execve() has the user-space stack of the program that called it. */
static void an_exec_keeps_the_old_program_until_the_new_one_runs(void **state)
{
	_cleanup_(kft_address_spaces_finish) struct kft_address_spaces as = {};

	map(&as, 5, 0x1000, 0x1fff, FILE_A, 10);
	assert_int_equal(kft_address_spaces_exec(&as, 5, 20), 0);
	map(&as, 5, 0x3000, 0x3fff, FILE_B, 30);
	map_vdso(&as, 5, 40);
	map(&as, 5, 0x4000, 0x4fff, FILE_B, 50);
	assert_int_equal(kft_address_spaces_sort(&as), 0);
	assert_int_equal(file_at(&as, 5, 0x1000, 15), FILE_A);
	assert_int_equal(file_at(&as, 5, 0x1000, 25), FILE_A);
	assert_int_equal(file_at(&as, 5, 0x1000, 45), FILE_A);
	assert_int_equal(file_at(&as, 5, 0x3000, 45), FILE_B);
	assert_int_equal(file_at(&as, 5, 0x3000, 25), 0);
	assert_int_equal(file_at(&as, 5, 0x1000, 50), 0);
	assert_int_equal(file_at(&as, 5, 0x3000, 60), FILE_B);
}

static void a_pid_that_is_used_again_is_another_task(void **state)
{
	_cleanup_(kft_address_spaces_finish) struct kft_address_spaces as = {};

	map(&as, 1, 0x9000, 0x9fff, FILE_B, 0);
	map(&as, 5, 0x1000, 0x1fff, FILE_A, 10);
	assert_int_equal(kft_address_spaces_fork(&as, 5, 5, 1, true, 20), 0);
	assert_int_equal(kft_address_spaces_sort(&as), 0);
	assert_int_equal(file_at(&as, 5, 0x1000, 19), FILE_A);
	assert_int_equal(file_at(&as, 5, 0x1000, 20), 0);
	assert_int_equal(file_at(&as, 5, 0x9000, 20), FILE_B);
}

/* Each of many forks is its own parent by its pid; one mapping has all addresses. */
static void hostile_forks_and_mappings_have_limits(void **state)
{
	_cleanup_(kft_address_spaces_finish) struct kft_address_spaces as = {};

	for (uint32_t i = 0; i < 100000; i++) {
		assert_int_equal(kft_address_spaces_fork(&as, 5, 5, 5, true, i), 0);
		map(&as, 5, i, i, FILE_A, i);
	}
	map(&as, 6, 1, 0, FILE_A, 0);
	map(&as, 6, 0, UINT64_MAX, FILE_B, 0);
	assert_int_equal(kft_address_spaces_sort(&as), 0);
	for (uint32_t i = 0; i < 100000; i++)
		assert_int_equal(file_at(&as, 5, i, 1u << 20),
				 i >= 100000 - 64 ? FILE_A : 0);
	assert_int_equal(file_at(&as, 6, UINT64_MAX, 0), FILE_B);
	assert_int_equal(file_at(&as, 6, 0, 0), FILE_B);
}

/* The search skips groups of mappings without the address. */
static void all_of_many_mappings_are_found(void **state)
{
	_cleanup_(kft_address_spaces_finish) struct kft_address_spaces as = {};

	for (uint32_t i = 0; i < 1000; i++) {
		map(&as, 5, 0x1000 * (i + 1), 0x1000 * (i + 1) + 0xff, i + 1, i);
		map(&as, 9, 0x1000 * (i + 1), 0x1000 * (i + 1) + 0xff, i + 2, i);
	}
	assert_int_equal(kft_address_spaces_sort(&as), 0);
	for (uint32_t i = 0; i < 1000; i++) {
		assert_int_equal(file_at(&as, 5, 0x1000 * (i + 1) + 0xff, 1000), i + 1);
		assert_int_equal(file_at(&as, 9, 0x1000 * (i + 1), 1000), i + 2);
		assert_int_equal(file_at(&as, 9, 0x1000 * (i + 1) + 0x100, 1000), 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_later_mapping_replaces_the_part_it_covers),
	cmocka_unit_test(a_child_has_the_mappings_its_parent_had_at_the_fork),
	cmocka_unit_test(threads_share_the_mappings_of_their_process),
	cmocka_unit_test(an_exec_keeps_the_old_program_until_the_new_one_runs),
	cmocka_unit_test(a_pid_that_is_used_again_is_another_task),
	cmocka_unit_test(hostile_forks_and_mappings_have_limits),
	cmocka_unit_test(all_of_many_mappings_are_found),
};

T_MAIN(tests)
