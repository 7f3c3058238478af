// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "base/macro.h"
#include "plan/samples.h"

static struct kft_plan plan;
static struct kft_err err;

static int set(const char *text)
{
	memset(&err, 0, sizeof(err));
	return kft_plan_set_samples(&plan, text, &err);
}

static void expect(const char *text, const char *event, uint64_t freq_hz, uint64_t period)
{
	assert_int_equal(set(text), 0);
	assert_true(plan.samples.enabled);
	if (event)
		assert_string_equal(plan.samples.event, event);
	else
		assert_null(plan.samples.event);
	assert_int_equal(plan.samples.freq_hz, freq_hz);
	assert_int_equal(plan.samples.period, period);
}

static void a_rate_an_event_or_both(void **state)
{
	expect(NULL, NULL, 997, 0);
	expect("4999Hz", NULL, 4999, 0);
	expect("cpu-clock", "cpu-clock", 997, 0);
	expect("page-faults/1", "page-faults", 0, 1);
	expect("cycles/99Hz", "cycles", 99, 0);
	kft_plan_finish(&plan);
	assert_null(plan.samples.event);
}

static void others_are_refused(void **state)
{
	static const char *const bad[] = {
		"",	     "cycle",	       "997",	    "Hz",	   "0Hz",
		"2000000Hz", "cycles/",	       "cycles/0",  "cycles/x",	   "cycles/0Hz",
		"-1Hz",	     "cycles/1/stack", "cycles/-1", "cycles/1kHz", "/5",
	};

	expect("cycles/99Hz", "cycles", 99, 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(set(bad[i]), -EINVAL);
		assert_true(*err.msg);
	}
	/* A refused text leaves the plan as it was. */
	assert_string_equal(plan.samples.event, "cycles");
	assert_int_equal(plan.samples.freq_hz, 99);
	kft_plan_finish(&plan);
}

static void events_have_the_numbers_of_the_kernel(void **state)
{
	const struct kft_sample_event *ev = kft_sample_event_find("branch-misses");

	assert_int_equal(ev->type, PERF_TYPE_HARDWARE);
	assert_int_equal(ev->config, PERF_COUNT_HW_BRANCH_MISSES);
	assert_false(ev->in_kernel);
	assert_true(kft_sample_event_find("context-switches")->in_kernel);
	assert_null(kft_sample_event_find("sched:sched_switch"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_an_event_or_both),
		cmocka_unit_test(others_are_refused),
		cmocka_unit_test(events_have_the_numbers_of_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
