// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "tracefs/control/cpu_counts.h"
#include "model/event.h"

static void all_counters_are_read(void **state)
{
	struct kft_cpu_counts c;

	assert_int_equal(kft_cpu_counts_parse("entries: 112\noverrun: 3\n"
					      "commit overrun: 4\nbytes: 5\n"
					      "oldest event ts:  1178.000000\n"
					      "now ts:  1179.173203\n"
					      "dropped events: 6\nread events: 7\n",
					      &c),
			 0);
	assert_int_equal(c.entries, 112);
	assert_int_equal(c.overrun, 3);
	assert_int_equal(c.commit_overrun, 4);
	assert_int_equal(c.bytes, 5);
	assert_int_equal(c.dropped, 6);
	assert_int_equal(c.read, 7);
	assert_int_equal(c.oldest, UINT64_C(1177999999500));
	assert_int_equal(c.now, UINT64_C(1179173202500));
	assert_int_equal(c.now_max, UINT64_C(1179173203499));
	assert_int_equal(kft_cpu_counts_lost(&c), 13);
}

static void counting_clocks_are_plain_numbers(void **state)
{
	struct kft_cpu_counts c;

	assert_int_equal(kft_cpu_counts_parse("now ts: 3063918159743\n", &c), 0);
	assert_int_equal(c.now, UINT64_C(3063918159743));
	assert_int_equal(c.now_max, UINT64_C(3063918159743));
}

static void other_texts_are_refused(void **state)
{
	struct kft_cpu_counts c;

	assert_int_equal(kft_cpu_counts_parse("", &c), -EINVAL);
	assert_int_equal(kft_cpu_counts_parse("hello\nentries 5\n", &c), -EINVAL);
	assert_int_equal(kft_cpu_counts_parse("entries:", &c), 0);
	assert_int_equal(c.entries, 0);
}

static struct kft_cpu_counts at(uint64_t now, uint64_t dropped, uint64_t nested)
{
	return (struct kft_cpu_counts){
		.now = now,
		.now_max = now + 9,
		.dropped = dropped,
		.commit_overrun = nested,
	};
}

static void ranges_enclose_what_was_dropped(void **state)
{
	struct kft_cpu_counts first = at(1000, 5, 0);
	struct kft_cpu_counts second = at(2000, 5, 0);
	struct kft_cpu_counts third = at(3000, 12, 0);
	struct kft_cpu_counts later = at(3100, 13, 0);
	struct kft_loss_watch w;

	kft_loss_watch_init(&w, &first);
	assert_false(kft_loss_watch_grew(&w, &second));
	kft_loss_watch_advance(&w, &second);
	assert_true(kft_loss_watch_grew(&w, &third));
	struct kft_lost_range r = kft_loss_watch_take(&w, 3, &third, &later);
	assert_int_equal(r.cpu, 3);
	assert_int_equal(r.since, 2000);
	assert_int_equal(r.until, 3109);
	assert_int_equal(r.count, 7);
	/* The event that only `later` has counted as lost is in the next range. */
	assert_true(kft_loss_watch_grew(&w, &later));
	struct kft_cpu_counts last = at(4000, 13, 0);
	r = kft_loss_watch_take(&w, 3, &later, &last);
	assert_int_equal(r.since, 3000);
	assert_int_equal(r.count, 1);
}

static void nested_losses_may_be_older_than_the_reading(void **state)
{
	struct kft_cpu_counts first = at(1000, 0, 0);
	struct kft_cpu_counts second = at(2000, 0, 0);
	struct kft_cpu_counts third = at(3000, 0, 1);
	struct kft_loss_watch w;

	kft_loss_watch_init(&w, &first);
	kft_loss_watch_advance(&w, &second);
	struct kft_lost_range r = kft_loss_watch_take(&w, 0, &third, &third);
	assert_int_equal(r.since, 1000);
	assert_int_equal(r.until, 3009);
	assert_int_equal(r.count, 1);
}

static void overruns_are_left_to_the_pages(void **state)
{
	struct kft_cpu_counts first = at(1000, 0, 0);
	struct kft_cpu_counts second = at(2000, 0, 0);
	struct kft_loss_watch w;

	second.overrun = 99;
	kft_loss_watch_init(&w, &first);
	assert_false(kft_loss_watch_grew(&w, &second));
}

static void counters_that_went_back_say_nothing(void **state)
{
	struct kft_cpu_counts first = at(1000, 50, 0);
	struct kft_cpu_counts second = at(2000, 7, 0);
	struct kft_loss_watch w;

	kft_loss_watch_init(&w, &first);
	assert_true(kft_loss_watch_grew(&w, &second));
	struct kft_lost_range r = kft_loss_watch_take(&w, 0, &second, &second);
	assert_int_equal(r.count, KFT_LOST_UNKNOWN);
	assert_int_equal(r.since, 1000);
	assert_false(kft_loss_watch_grew(&w, &second));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(all_counters_are_read),
	cmocka_unit_test(counting_clocks_are_plain_numbers),
	cmocka_unit_test(other_texts_are_refused),
	cmocka_unit_test(ranges_enclose_what_was_dropped),
	cmocka_unit_test(nested_losses_may_be_older_than_the_reading),
	cmocka_unit_test(overruns_are_left_to_the_pages),
	cmocka_unit_test(counters_that_went_back_say_nothing),
};

T_MAIN(tests)
