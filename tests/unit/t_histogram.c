// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "analysis/stats/histogram.h"

static void buckets_follow_each_other(void **state)
{
	for (unsigned int i = 0; i + 1 < KFT_HISTOGRAM_BUCKETS; i++) {
		assert_int_equal(kft_histogram_greatest(i) + 1,
				 kft_histogram_least(i + 1));
		assert_int_equal(kft_histogram_bucket(kft_histogram_least(i)), i);
		assert_int_equal(kft_histogram_bucket(kft_histogram_greatest(i)), i);
	}
	assert_int_equal(kft_histogram_bucket(UINT64_MAX), KFT_HISTOGRAM_BUCKETS - 1);
	assert_true(kft_histogram_greatest(KFT_HISTOGRAM_BUCKETS - 1) == UINT64_MAX);
}

static void the_middle_is_within_a_percent(void **state)
{
	for (unsigned int i = 0; i < KFT_HISTOGRAM_BUCKETS; i++) {
		uint64_t least = kft_histogram_least(i);
		uint64_t half = (kft_histogram_greatest(i) - least + 1) / 2;

		assert_true(half <= least / 100);
	}
}

static void ranks_are_the_nearest(void **state)
{
	assert_int_equal(kft_histogram_rank(1, 500), 1);
	assert_int_equal(kft_histogram_rank(2, 500), 1);
	assert_int_equal(kft_histogram_rank(3, 500), 2);
	assert_int_equal(kft_histogram_rank(100, 990), 99);
	assert_int_equal(kft_histogram_rank(101, 990), 100);
	assert_int_equal(kft_histogram_rank(1000, 999), 999);
	assert_int_equal(kft_histogram_rank(1001, 999), 1000);
}

static void add(struct kft_histogram *h, uint64_t value)
{
	uint64_t *counter = kft_histogram_counter(h, value);

	assert_non_null(counter);
	++*counter;
}

static void values_are_found_by_rank(void **state)
{
	struct kft_histogram a = {};
	struct kft_histogram b = {};
	uint64_t below;

	for (uint64_t v = 1; v <= 50; v++) {
		add(&a, v);
		add(&b, 1000 * v);
	}
	assert_int_equal(kft_histogram_join(&a, &b), 0);
	assert_int_equal(kft_histogram_find(&a, 1, &below), kft_histogram_bucket(1));
	assert_int_equal(below, 0);
	assert_int_equal(kft_histogram_find(&a, 50, &below), kft_histogram_bucket(50));
	assert_int_equal(kft_histogram_find(&a, 51, &below), kft_histogram_bucket(1000));
	assert_int_equal(below, 50);
	assert_int_equal(kft_histogram_find(&a, 100, &below),
			 kft_histogram_bucket(50000));
	kft_histogram_finish(&a);
	kft_histogram_finish(&b);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(buckets_follow_each_other),
	cmocka_unit_test(the_middle_is_within_a_percent),
	cmocka_unit_test(ranks_are_the_nearest),
	cmocka_unit_test(values_are_found_by_rank),
};

T_MAIN(tests)
