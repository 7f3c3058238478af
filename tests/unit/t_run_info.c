// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "model/run_info.h"

static int parse(const char *text, struct kft_run_info *ret)
{
	struct kft_blob blob = {text, strlen(text)};

	return kft_run_info_parse(&blob, ret);
}

static void what_was_kept_is_read_back(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_run_info info = {
		.id = 7,
		.start_ns = 123456789012345,
		.stop_ns = UINT64_MAX,
		.started = "entry to function do_fork",
		.stopped = "user action",
		.has_filter =
			{[KFT_RUN_FILTER_TIME] = true, [KFT_RUN_FILTER_TASKS] = true},
		.in_kernel = {[KFT_RUN_FILTER_TIME] = true},
		.filtered = {[KFT_RUN_FILTER_TIME] = 12, [KFT_RUN_FILTER_TASKS] = 3},
		.not_found = 5,
		.max_ns = 6000,
		.n_functions = 2,
		.traced_ns = 70,
		.untraced_ns = 10,
	};
	struct kft_run_info back;

	kft_run_info_format(&info, &sb);
	assert_int_equal(parse(kft_strbuf_cstr(&sb), &back), 0);
	assert_int_equal(back.id, 7);
	assert_int_equal(back.start_ns, info.start_ns);
	assert_int_equal(back.stop_ns, UINT64_MAX);
	assert_string_equal(back.started, info.started);
	assert_string_equal(back.stopped, info.stopped);
	assert_memory_equal(back.has_filter, info.has_filter, sizeof(info.has_filter));
	assert_memory_equal(back.in_kernel, info.in_kernel, sizeof(info.in_kernel));
	assert_memory_equal(back.filtered, info.filtered, sizeof(info.filtered));
	assert_int_equal(back.not_found, 5);
	assert_int_equal(back.min_ns, 0);
	assert_int_equal(back.max_ns, 6000);
	assert_int_equal(back.n_functions, 2);
	assert_int_equal(back.traced_ns, 70);
	assert_int_equal(back.untraced_ns, 10);
}

static void later_versions_may_say_more(void **state)
{
	struct kft_run_info info;

	assert_int_equal(parse("start 5 user action\nstop 6 ?\nwatched 12 x\n"
			       "filter planets 9\n",
			       &info),
			 0);
	assert_int_equal(info.id, 0);
	assert_int_equal(info.stop_ns, 6);
}

static void what_is_broken_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"id 1\n",
		"start 1 a\n",
		"start x a\nstop 2 b\n",
		"start 1 a\nstop\n",
		"start 1 a\nstop 18446744073709551616 b\n",
		"start 1 a\nstop 2 b\nfilter time\n",
		"start 1 a\nstop 2 b\nfilter time 1x\n",
	};
	struct kft_run_info info;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(parse(texts[i], &info), -EINVAL);
}

static void long_words_are_cut(void **state)
{
	char text[2000];
	struct kft_run_info info;

	(void)snprintf(text, sizeof(text), "start 1 %01500d\nstop 2 b\n", 0);
	assert_int_equal(parse(text, &info), 0);
	assert_int_equal(strlen(info.started), KFT_RUN_WORDS_MAX - 1);
}

static int parse_windows(const char *text, struct kft_run_windows *ret)
{
	struct kft_blob blob = {text, strlen(text)};

	return kft_run_windows_parse(&blob, ret);
}

static void windows_are_read_back(void **state)
{
	static const struct kft_run_window windows[] = {{10, 20}, {30, UINT64_MAX}};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_run_windows back;

	kft_strbuf_adds(&sb, "id 1\n");
	for (size_t i = 0; i < ARRAY_SIZE(windows); i++)
		kft_run_window_format(&windows[i], &sb);
	assert_int_equal(parse_windows(kft_strbuf_cstr(&sb), &back), 0);
	assert_int_equal(back.list.len, 2);
	assert_memory_equal(back.list.data, windows, sizeof(windows));
	kft_run_windows_finish(&back);
}

static void windows_that_overlap_or_are_cut_off_are_refused(void **state)
{
	static const char *const texts[] = {
		"window",
		"window 1",
		"window 2 1",
		"window 1 5\nwindow 4 6",
	};
	struct kft_run_windows windows;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(parse_windows(texts[i], &windows), -EINVAL);
}

static void a_call_is_cut_by_the_end_of_its_window(void **state)
{
	struct kft_run_windows w;

	assert_int_equal(parse_windows("", &w), 0);
	assert_false(kft_run_windows_cut(&w, 0, UINT64_MAX));
	assert_int_equal(parse_windows("window 10 20\nwindow 30 40\n", &w), 0);
	assert_false(kft_run_windows_cut(&w, 10, 20));
	assert_true(kft_run_windows_cut(&w, 20, 21));
	/* Into another window, and a call that opened one. */
	assert_true(kft_run_windows_cut(&w, 15, 35));
	assert_false(kft_run_windows_cut(&w, 29, 40));
	assert_true(kft_run_windows_cut(&w, 29, 41));
	assert_false(kft_run_windows_cut(&w, 50, 60));
	kft_run_windows_finish(&w);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_was_kept_is_read_back),
	cmocka_unit_test(later_versions_may_say_more),
	cmocka_unit_test(what_is_broken_is_refused),
	cmocka_unit_test(long_words_are_cut),
	cmocka_unit_test(windows_are_read_back),
	cmocka_unit_test(windows_that_overlap_or_are_cut_off_are_refused),
	cmocka_unit_test(a_call_is_cut_by_the_end_of_its_window),
};

T_MAIN(tests)
