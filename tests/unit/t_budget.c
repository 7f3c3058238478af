// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "tracefs/detached/budget.h"

/* 2 % of a CPU at 200 ns an event: 100,000 events a second. */
#define PPM	 20000
#define EVENT_NS 200

static size_t choose(struct kft_event_rate *rates, size_t n)
{
	return kft_budget_choose(rates, n, EVENT_NS, PPM);
}

static void cost_is_rate_times_time(void **state)
{
	assert_int_equal(kft_budget_cost_ppm(100000, EVENT_NS), PPM);
	assert_int_equal(kft_budget_cost_ppm(5000000, EVENT_NS), 1000000);
	assert_int_equal(kft_budget_cost_ppm(0, EVENT_NS), 0);
}

static void what_fits_stays(void **state)
{
	struct kft_event_rate rates[] = {{.event = "a", .per_s = 40000},
					 {.event = "b", .per_s = 60000}};

	assert_int_equal(choose(rates, 2), 0);
	assert_int_equal(choose(rates, 0), 0);
}

static void the_most_frequent_go_first(void **state)
{
	struct kft_event_rate rates[] = {
		{.event = "rare", .per_s = 5},
		{.event = "often", .per_s = 90000},
		{.event = "most", .per_s = 400000},
		{.event = "some", .per_s = 20000},
	};

	/* Without the first it is 110,005, still too much. */
	assert_int_equal(choose(rates, 4), 2);
	assert_string_equal(rates[0].event, "most");
	assert_string_equal(rates[1].event, "often");
	assert_string_equal(rates[2].event, "some");
	assert_string_equal(rates[3].event, "rare");
}

static void no_more_than_has_to(void **state)
{
	struct kft_event_rate rates[] = {
		{.event = "a", .per_s = 50000},
		{.event = "b", .per_s = 50000},
		{.event = "c", .per_s = 100},
	};

	assert_int_equal(choose(rates, 3), 1);
}

static void all_go_if_each_is_too_much(void **state)
{
	struct kft_event_rate rates[] = {{.event = "a", .per_s = 250000},
					 {.event = "b", .per_s = 250000}};

	assert_int_equal(choose(rates, 2), 2);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(cost_is_rate_times_time),
	cmocka_unit_test(what_fits_stays),
	cmocka_unit_test(the_most_frequent_go_first),
	cmocka_unit_test(no_more_than_has_to),
	cmocka_unit_test(all_go_if_each_is_too_much),
};

T_MAIN(tests)
