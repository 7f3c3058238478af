// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "output/kft_log.h"

static void assert_head(const struct kft_run_info *info, const char *expected)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const struct kft_log_style style = {};

	kft_log_write_head(&style, info, 12, &sb);
	char *titles = strstr(kft_strbuf_cstr(&sb), "\n\n\n Entry ");
	assert_non_null(titles);
	*titles = '\0';
	assert_string_equal(sb.buf, expected);
}

/* Stacks that a watch missed are unknown, but the number of its looks is known. */
static void a_watch_says_how_often_it_looked(void **state)
{
	struct kft_run_info info = {.is_known = true,
				    .started = "user action",
				    .stopped = "user action",
				    .looks = 450,
				    .stacks = 2,
				    .longest_look_ns = 61000000};

	assert_head(
		&info,
		"\nKernel Instrumentation Run ID 0\n\n"
		"Logging started at 0 usec by user action\n"
		"Logging stopped at 0 usec by user action\n"
		"\nFilter Counters:\n\n"
		"Total entries filtered = 0\n"
		"Entries not found = 0\n"
		"\nStack watch: 2 stacks in 450 looks, at most 61000 usec apart\n"
		"of several between two looks the deepest one, the others not counted\n"
		"\nNumber of entries after filters = 12");
}

static void filters_and_counters_are_shown(void **state)
{
	const struct kft_run_info info = {
		.is_known = true,
		.id = 3,
		.start_ns = 5000,
		.stop_ns = 9000,
		.started = "user action",
		.stopped = "log full",
		.has_filter =
			{
				[KFT_RUN_FILTER_TIME] = true,
				[KFT_RUN_FILTER_NOINTS] = true,
				[KFT_RUN_FILTER_FUNCTIONS] = true,
				[KFT_RUN_FILTER_TASKS] = true,
			},
		.in_kernel =
			{
				[KFT_RUN_FILTER_TIME] = true,
				[KFT_RUN_FILTER_FUNCTIONS] = true,
			},
		.filtered = {[KFT_RUN_FILTER_TIME] = 7, [KFT_RUN_FILTER_NOINTS] = 2},
		.not_found = 4,
		.min_ns = 500000,
		.max_ns = 2000000,
		.n_functions = 2,
		.n_tasks = 1,
	};

	assert_head(
		&info,
		"\nKernel Instrumentation Run ID 3\n\n"
		"Logging started at 5 usec by user action\n"
		"Logging stopped at 9 usec by log full\n"
		"\nFilters:\n"
		"\t2-entry function list\n"
		"\t1-entry task list\n"
		"\t500 usecs minimum execution time\n"
		"\t2000 usecs maximum execution time\n"
		"\tno functions in interrupt context\n"
		"\nFilter Counters:\n\n"
		"Execution time filter count = 7, and those in the kernel, not counted\n"
		"No Interrupt functions filter count = 2\n"
		"Function List filter count = in the kernel, not counted\n"
		"Other tasks filter count = 0\n"
		"Total entries filtered = 9, and those in the kernel, not counted\n"
		"Entries not found = 4\n"
		"\nNumber of entries after filters = 12");
}

static void a_run_without_filters_says_what_was_not_found(void **state)
{
	const struct kft_run_info info = {
		.is_known = true, .started = "user action", .stopped = "user action"};

	assert_head(&info, "\nKernel Instrumentation Run ID 0\n\n"
			   "Logging started at 0 usec by user action\n"
			   "Logging stopped at 0 usec by user action\n"
			   "\nFilter Counters:\n\n"
			   "Total entries filtered = 0\n"
			   "Entries not found = 0\n"
			   "\nNumber of entries after filters = 12");
}

static void nothing_is_made_up_for_other_traces(void **state)
{
	const struct kft_run_info info = {.started = "?", .stopped = "?"};

	assert_head(&info, "\nKernel Instrumentation Run ID 0\n\n"
			   "Logging started at 0 usec by ?\n"
			   "Logging stopped at 0 usec by ?\n"
			   "\nFilter Counters:\n\n"
			   "not known\n"
			   "\nNumber of entries after filters = 12");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_watch_says_how_often_it_looked),
	cmocka_unit_test(filters_and_counters_are_shown),
	cmocka_unit_test(a_run_without_filters_says_what_was_not_found),
	cmocka_unit_test(nothing_is_made_up_for_other_traces),
};

T_MAIN(tests)
