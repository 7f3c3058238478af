// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "analysis/boot/report.h"
#include "boot_trace.h"
#include "output/result.h"

static void run(struct boot_trace *b, struct kft_boot_report *r)
{
	assert_int_equal(kft_boot_report_run(b->trace, NULL, &b->trace->symbols, r), 0);
}

static void nothing_is_an_error(void **state)
{
	struct boot_trace *b = *state;
	struct kft_boot_report r;

	assert_int_equal(kft_boot_report_run(b->trace, NULL, &b->trace->symbols, &r),
			 -ENODATA);
	boot_add(b, 0, 10, BOOT_PROBE_STOP, 1, 0x10);
	assert_int_equal(kft_boot_report_run(b->trace, NULL, &b->trace->symbols, &r),
			 -ENODATA);
}

static void entry_gaps_are_between_entries(void **state)
{
	struct boot_trace *b = *state;
	_cleanup_(kft_boot_report_finish) struct kft_boot_report r = {};

	boot_symbol(b, "a", 0x1000);
	boot_symbol(b, "b", 0x2000);
	/* Recorded when they return: entered at 1000, 1010, 5000, 5100. */
	boot_add_exit(b, 0, 1500, 7, 0x2000, 490);
	boot_add_exit(b, 1, 5600, 8, 0x1000, 600);
	boot_add_exit(b, 0, 6000, 7, 0x1000, 5000);
	boot_add_exit(b, 1, 6100, 8, 0x2000, 1000);
	run(b, &r);
	assert_int_equal(r.calls, 4);
	assert_int_equal(r.n_entry_gaps, 3);
	assert_int_equal(r.entry_gaps[0].from.entry_ns, 1010);
	assert_int_equal(r.entry_gaps[0].to.entry_ns, 5000);
	assert_string_equal(kft_intern_text(&r.names, r.entry_gaps[0].from.func), "b");
	assert_string_equal(kft_intern_text(&r.names, r.entry_gaps[0].to.func), "a");
	assert_int_equal(r.entry_gaps[0].from.pid, 7);
	assert_int_equal(r.entry_gaps[0].to.pid, 8);
	assert_int_equal(r.entry_gaps[0].to.cpu, 1);
	assert_int_equal(r.entry_gaps[1].to.entry_ns, 5100);
	assert_int_equal(r.entry_gaps[2].to.entry_ns, 1010);
}

static void idle_and_the_tracer_make_no_entry_gaps(void **state)
{
	struct boot_trace *b = *state;
	_cleanup_(kft_boot_report_finish) struct kft_boot_report r = {};

	boot_symbol(b, "do_work", 0x1000);
	boot_symbol(b, "arch_cpu_idle", 0x2000);
	boot_symbol(b, "ftrace_run_update_code", 0x3000);
	boot_symbol(b, "flush_tlb_mm_range", 0x4000);
	/* Entered at 1000 (idle), 1900, 2000 (tracer), 2100 (in it), 8000, 8100. */
	boot_add_exit(b, 0, 1500, 0, 0x2000, 500);
	boot_add_exit(b, 0, 2000, 7, 0x1000, 100);
	boot_add_exit(b, 1, 2200, 9, 0x4000, 100);
	boot_add_exit(b, 0, 7000, 7, 0x3000, 5000);
	boot_add_exit(b, 1, 8500, 9, 0x1000, 500);
	boot_add_exit(b, 0, 9000, 7, 0x1000, 900);
	run(b, &r);
	assert_int_equal(r.calls, 6);
	assert_int_equal(r.n_entry_gaps, 2);
	for (size_t i = 0; i < r.n_entry_gaps; i++)
		assert_int_equal(
			r.entry_gaps[i].to.entry_ns - r.entry_gaps[i].from.entry_ns, 100);
	assert_int_equal(r.entry_gaps[0].from.entry_ns, 1900);
	assert_int_equal(r.entry_gaps[1].from.entry_ns, 8000);
}

static void steps_last_until_the_next(void **state)
{
	struct boot_trace *b = *state;
	_cleanup_(kft_boot_report_finish) struct kft_boot_report r = {};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	static const char run_info[] = "start 0 ?\nstop 9 ?\ncost 7460 1000\n";

	boot_symbol(b, "pid_idr_init", 0x1000);
	boot_symbol(b, "calibrate_delay", 0x2000);
	boot_symbol(b, "smp_init", 0x3000);
	boot_symbol(b, "another", 0x4000);
	boot_add(b, 0, 1000, BOOT_FUNCTION, 0, 0x1000);
	boot_add(b, 0, 2000, BOOT_FUNCTION, 0, 0x2004);
	boot_add(b, 0, 3000, BOOT_FUNCTION, 0, 0x4000);
	/* Another CPU is started: its idle task is unrelated to the boot's. */
	boot_add(b, 1, 4000, BOOT_FUNCTION, 0, 0x2004);
	boot_add_level(b, 7000, "early");
	boot_add(b, 0, 9000, BOOT_FUNCTION, 1, 0x3000);
	assert_int_equal(kft_meta_set_blob(&b->trace->meta, &b->trace->meta.run, run_info,
					   strlen(run_info)),
			 0);
	run(b, &r);
	assert_int_equal(r.calls, 0);
	kft_boot_report_result(b->trace, &b->trace->symbols, &r, &result);
	kft_result_text(&result, &(struct kft_output_how){}, &sb);
	const char *text = kft_strbuf_cstr(&sb);
	assert_non_null(strstr(text, "the kernel was 7.5 times as slow (7.460 us for a "
				     "call that takes 1.000 us without)"));
	assert_non_null(strstr(text, "TO NEXT STEP  STEP                START\n"
				     "    5.000 us  calibrate_delay  0.000002\n"
				     "    1.000 us  pid_idr_init     0.000001\n"
				     "           -  smp_init         0.000009\n"));
	assert_null(strstr(text, "GAP"));
}

static void assert_cost(struct boot_trace *b, const char *run_info, const char *expected)
{
	_cleanup_(kft_boot_report_finish) struct kft_boot_report r = {};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	boot_symbol(b, "a", 0x1000);
	boot_add(b, 0, 1000, BOOT_FUNCTION, 0, 0x1000);
	boot_add_level(b, 7000, "early");
	assert_int_equal(kft_meta_set_blob(&b->trace->meta, &b->trace->meta.run, run_info,
					   strlen(run_info)),
			 0);
	run(b, &r);
	kft_boot_report_result(b->trace, &b->trace->symbols, &r, &result);
	kft_result_text(&result, &(struct kft_output_how){}, &sb);
	assert_non_null(strstr(kft_strbuf_cstr(&sb), expected));
}

static void a_kernel_that_was_as_fast_is_not_called_slow(void **state)
{
	assert_cost(
		*state, "start 0 ?\nstop 9 ?\ncost 990 1000\n",
		"the kernel was not measurably slower (990 ns for a call that takes ");
}

static void the_slowdown_is_rounded(void **state)
{
	assert_cost(*state, "start 0 ?\nstop 9 ?\ncost 1180 1000\n",
		    "the kernel was 1.2 times as slow (");
}

static void the_longest_ten_are_kept(void **state)
{
	struct boot_trace *b = *state;
	_cleanup_(kft_boot_report_finish) struct kft_boot_report r = {};
	uint64_t ts = 1000;

	/* 1, 7, 4, 1, 7, ... and so on, all different */
	for (unsigned int i = 0; i < 30; i++) {
		ts += i * 7 % 31;
		boot_add_exit(b, 0, ts, 7, 0x1000, 0);
	}
	run(b, &r);
	assert_int_equal(r.n_entry_gaps, KFT_ENTRY_GAPS_KEPT);
	for (size_t i = 0; i < r.n_entry_gaps; i++)
		assert_int_equal(r.entry_gaps[i].to.entry_ns -
					 r.entry_gaps[i].from.entry_ns,
				 30 - i - (i >= 6));
}

static void initcalls_are_the_longest_first(void **state)
{
	struct boot_trace *b = *state;
	_cleanup_(kft_boot_report_finish) struct kft_boot_report r = {};

	boot_add(b, 0, 10, BOOT_INIT_START, 1, 0xa);
	boot_add_finish(b, 20, 1, 0xa, 0);
	boot_add(b, 0, 30, BOOT_INIT_START, 1, 0xb);
	boot_add_finish(b, 60, 1, 0xb, 0);
	boot_add(b, 0, 70, BOOT_INIT_START, 1, 0xc);
	run(b, &r);
	assert_int_equal(r.initcalls.list.data[0].func, 0xb);
	assert_int_equal(r.initcalls.list.data[1].func, 0xa);
	assert_int_equal(r.initcalls.list.data[2].func, 0xc);
}

static void in_words(void **state)
{
	struct boot_trace *b = *state;
	_cleanup_(kft_boot_report_finish) struct kft_boot_report r = {};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	boot_symbol(b, "acpi_init", 0xa000);
	boot_add(b, 0, 1000, BOOT_INIT_START, 1, 0xa000);
	boot_add_finish(b, 5000, 1, 0xa000, -22);
	boot_add(b, 0, 6000, BOOT_INIT_START, 1, 0xa004); /* no symbol of its own */
	boot_add_level(b, 7000, "arch");
	run(b, &r);
	kft_boot_report_result(b->trace, &b->trace->symbols, &r, &result);
	kft_result_text(&result, &(struct kft_output_how){}, &sb);
	assert_string_equal(
		kft_strbuf_cstr(&sb),
		"Initcalls           2\n"
		"Time in initcalls   4.000 us\n"
		"Calls of functions  0\n"
		"Functions           0\n"
		"Missing             calls of functions, and so entry_gaps: "
		"ftrace=function_graph on the kernel's command line records them\n"
		"\n"
		"LEVEL        START  INITCALLS      TIME   LONGEST\n"
		"postcore  0.000001          2  4.000 us  4.000 us\n"
		"\n"
		"INITCALL TOOK  LEVEL     FUNCTION      START  RETURN  CPU  PID\n"
		"     4.000 us  postcore  acpi_init  0.000001     -22    0    1\n"
		"            -  postcore  0xa004     0.000006       -    0    1\n");
}

/* The address of p9_virtio_init belongs to v9fs_kill_super now. */
static void initcalls_of_modules_have_their_names(void **state)
{
	struct boot_trace *b = *state;
	_cleanup_(kft_boot_report_finish) struct kft_boot_report r = {};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	static const char *const names[] = {"init of module 9pnet_virtio", "kept_init",
					    "init of a module, 0xc000",
					    "init of module first"};

	boot_symbol_of(b, "v9fs_kill_super", 0xa000, "9p");
	boot_symbol_of(b, "kept_init", 0xb000, "keeps");
	boot_symbol_of(b, "other", 0xc000, "other");
	boot_symbol_of(b, "other2", 0xd000, "other");
	boot_add_load(b, 10, 70, "9pnet_virtio");
	boot_add_load(b, 11, 71, "keeps");
	boot_add(b, 0, 20, BOOT_INIT_START, 70, 0xa000);
	boot_add(b, 0, 21, BOOT_INIT_START, 71, 0xb000);
	boot_add_finish(b, 30, 70, 0xa000, 0);
	boot_add_finish(b, 30, 71, 0xb000, 0);
	/* The module of this initcall is unknown: it is not the previous one. */
	boot_add(b, 0, 40, BOOT_INIT_START, 70, 0xc000);
	boot_add_finish(b, 42, 70, 0xc000, 0);
	/* The first program may load modules, too. */
	boot_add_load(b, 50, 1, "first");
	boot_add(b, 0, 51, BOOT_INIT_START, 1, 0xd000);
	boot_add_finish(b, 52, 1, 0xd000, 0);
	run(b, &r);
	kft_boot_report_result(b->trace, &b->trace->symbols, &r, &result);
	kft_result_text(&result, &(struct kft_output_how){}, &sb);
	const char *p = kft_strbuf_cstr(&sb);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char want[64];

		(void)snprintf(want, sizeof(want), "  module  %s  ", names[i]);
		p = strstr(p, want);
		if (!p)
			fail_msg("'%s' is not in its place: %s", want, sb.buf);
	}
}

static void what_is_missing_is_said(void **state)
{
	struct boot_trace *b = *state;
	_cleanup_(kft_boot_report_finish) struct kft_boot_report r = {};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	boot_symbol(b, "a", 0x1000);
	boot_add_exit(b, 0, 6000, 7, 0x1000, 5000);
	run(b, &r);
	kft_boot_report_result(b->trace, &b->trace->symbols, &r, &result);
	kft_result_json(&result, &(struct kft_output_how){}, &sb);
	assert_non_null(strstr(kft_strbuf_cstr(&sb), "\"missing\":\"initcalls: "));
	assert_non_null(strstr(kft_strbuf_cstr(&sb),
			       "\"function\":[{\"function\":\"a\",\"calls\":1,"
			       "\"total\":5000,\"max\":5000,\"local\":5000}]"));
}

/* The report names functions that wait instead of working: their times mislead. */
static void what_waits_is_said(void **state)
{
	struct boot_trace *b = *state;
	_cleanup_(kft_boot_report_finish) struct kft_boot_report r = {};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	boot_symbol(b, "schedule", 0x1000);
	boot_symbol(b, "do_idle", 0x2000);
	boot_symbol(b, "works", 0x3000);
	boot_add_exit(b, 0, 6000, 7, 0x1000, 1000);
	boot_add_exit(b, 0, 7000, 8, 0x3000, 6900);
	boot_add_exit(b, 1, 9000, 0, 0x2000, 3000);
	run(b, &r);
	kft_boot_report_result(b->trace, &b->trace->symbols, &r, &result);
	kft_result_json(&result, &(struct kft_output_how){}, &sb);
	assert_non_null(strstr(kft_strbuf_cstr(&sb),
			       "\"waiting\":\"do_idle, schedule and what calls them "
			       "wait more than they work"));
}

#define WITH_TRACE(test) \
	cmocka_unit_test_setup_teardown(test, boot_trace_setup, boot_trace_teardown)

static const struct CMUnitTest tests[] = {
	WITH_TRACE(nothing_is_an_error),
	WITH_TRACE(entry_gaps_are_between_entries),
	WITH_TRACE(idle_and_the_tracer_make_no_entry_gaps),
	WITH_TRACE(steps_last_until_the_next),
	WITH_TRACE(a_kernel_that_was_as_fast_is_not_called_slow),
	WITH_TRACE(the_slowdown_is_rounded),
	WITH_TRACE(the_longest_ten_are_kept),
	WITH_TRACE(initcalls_are_the_longest_first),
	WITH_TRACE(in_words),
	WITH_TRACE(initcalls_of_modules_have_their_names),
	WITH_TRACE(what_is_missing_is_said),
	WITH_TRACE(what_waits_is_said),
};

T_MAIN(tests)
