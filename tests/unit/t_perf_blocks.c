// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "file/perf/blocks.h"

static void add(struct kft_perf_blocks *bs, uint64_t offset, bool contiguous, uint64_t ts)
{
	assert_int_equal(kft_perf_blocks_add(bs, offset, 100, contiguous, ts), 0);
}

static void a_stretch_is_one_block_up_to_its_size(void **state)
{
	struct kft_perf_blocks bs = {};

	for (unsigned int i = 0; i < 1000; i++)
		add(&bs, i * 100, i > 0, i);
	assert_int_equal(bs.list.len, 100000 / KFT_PERF_BLOCK_BYTES + 1);
	assert_int_equal(bs.groups.len, bs.list.len);
	assert_false(bs.list.data[0].unsorted);
	add(&bs, 200000, false, 1000);
	assert_int_equal(bs.list.len, 100000 / KFT_PERF_BLOCK_BYTES + 2);
	kft_perf_blocks_finish(&bs);
}

static void blocks_whose_times_overlap_are_one_group(void **state)
{
	struct kft_perf_blocks bs = {};

	add(&bs, 0, false, 10);
	add(&bs, 1000, false, 20);
	add(&bs, 2000, false, 30);
	add(&bs, 3000, false, 40);
	assert_int_equal(bs.groups.len, 4);
	/* Not before 20: the first two stay as they are. */
	add(&bs, 4000, false, 25);
	assert_int_equal(bs.groups.len, 3);
	assert_int_equal(bs.groups.data[2], 2);
	assert_int_equal(kft_perf_blocks_group_end(&bs, 2), 5);
	assert_int_equal(kft_perf_blocks_group_end(&bs, 0), 1);
	add(&bs, 5000, false, 50);
	add(&bs, 5100, true, 5);
	assert_int_equal(bs.groups.len, 1);
	assert_true(bs.list.data[5].unsorted);
	assert_int_equal(kft_perf_blocks_group_end(&bs, 0), 6);
	kft_perf_blocks_finish(&bs);
}

static void appended_blocks_are_as_if_added(void **state)
{
	const uint64_t times[] = {10, 20, 30, 25, 40, 35, 50, 5, 60, 70};

	for (size_t cut = 0; cut <= 10; cut++) {
		struct kft_perf_blocks whole = {};
		struct kft_perf_blocks a = {};
		struct kft_perf_blocks b = {};

		for (size_t i = 0; i < 10; i++) {
			add(&whole, i * 1000, false, times[i]);
			add(i < cut ? &a : &b, i * 1000, false, times[i]);
		}
		assert_int_equal(kft_perf_blocks_append(&a, &b), 0);
		assert_int_equal(a.groups.len, whole.groups.len);
		assert_memory_equal(a.groups.data, whole.groups.data,
				    a.groups.len * sizeof(*a.groups.data));
		assert_int_equal(a.list.len, whole.list.len);
		for (size_t i = 0; i < a.list.len; i++) {
			const struct kft_perf_block *x = &a.list.data[i];
			const struct kft_perf_block *y = &whole.list.data[i];

			assert_true(x->offset == y->offset && x->bytes == y->bytes);
			assert_true(x->min == y->min && x->max == y->max);
			assert_true(x->joined == y->joined && x->unsorted == y->unsorted);
		}
		kft_perf_blocks_finish(&whole);
		kft_perf_blocks_finish(&a);
		kft_perf_blocks_finish(&b);
	}
}

static void the_first_group_of_a_time_is_found(void **state)
{
	struct kft_perf_blocks bs = {};

	for (unsigned int i = 0; i < 10; i++)
		add(&bs, i * 1000, false, i * 10);
	assert_int_equal(kft_perf_blocks_find(&bs, 0), 0);
	assert_int_equal(kft_perf_blocks_find(&bs, 10), 1);
	assert_int_equal(kft_perf_blocks_find(&bs, 11), 2);
	assert_int_equal(kft_perf_blocks_find(&bs, 90), 9);
	assert_int_equal(kft_perf_blocks_find(&bs, 91), 10);
	kft_perf_blocks_finish(&bs);
}

static void thinned_out_blocks_cover_the_same(void **state)
{
	struct kft_perf_blocks bs = {};

	for (unsigned int i = 0; i < 10; i++)
		add(&bs, i * 1000, false, i == 5 ? 45 : i * 10);
	assert_int_equal(bs.groups.len, 10);
	add(&bs, 10000, false, 85);
	assert_int_equal(bs.groups.len, 10);
	kft_perf_blocks_thin(&bs, 2100);
	/* 0-2000, 3000-5000, ... */
	assert_int_equal(bs.list.len, 4);
	assert_int_equal(bs.list.data[0].bytes, 2100);
	assert_int_equal(bs.list.data[3].offset, 9000);
	assert_true(bs.list.data[3].unsorted);
	assert_int_equal(bs.groups.len, 4);
	assert_int_equal(bs.list.data[3].max, 90);
	assert_int_equal(bs.list.data[3].min, 85);
	kft_perf_blocks_thin(&bs, KFT_PERF_SPAN_BYTES);
	assert_int_equal(bs.list.len, 1);
	assert_int_equal(bs.list.data[0].bytes, 10100);
	assert_int_equal(bs.groups.len, 1);
	kft_perf_blocks_finish(&bs);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_stretch_is_one_block_up_to_its_size),
	cmocka_unit_test(blocks_whose_times_overlap_are_one_group),
	cmocka_unit_test(appended_blocks_are_as_if_added),
	cmocka_unit_test(the_first_group_of_a_time_is_found),
	cmocka_unit_test(thinned_out_blocks_cover_the_same),
};

T_MAIN(tests)
