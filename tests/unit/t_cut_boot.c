// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "boot_trace.h"
#include "analysis/cut/boot.h"

#define F 0x1000 /* the function of the trigger */

static struct kft_cut_boot find(struct boot_trace *b, enum kft_trigger_kind start,
				enum kft_trigger_kind stop)
{
	struct kft_cut_boot w;
	struct kft_plan p = {};

	if (start == KFT_TRIGGER_TIME)
		p.start.time_ns = 1000;
	else if (start != KFT_TRIGGER_NONE)
		assert_int_equal(
			kft_plan_trigger_set_function(&p.start, start, "f", NULL), 0);
	if (stop == KFT_TRIGGER_TIME)
		p.stop.time_ns = 500;
	else if (stop != KFT_TRIGGER_NONE)
		assert_int_equal(kft_plan_trigger_set_function(&p.stop, stop, "g", NULL),
				 0);
	p.start.kind = start;
	p.stop.kind = stop;
	boot_symbol(b, "f", F);
	boot_symbol(b, "g", 0x2000);
	boot_symbol(b, "gg", 0x3000);
	assert_int_equal(kft_cut_boot_find(b->trace, &p, &w, NULL), 0);
	kft_plan_finish(&p);
	return w;
}

static void without_triggers_all_of_it(void **state)
{
	struct kft_cut_boot w = find(*state, KFT_TRIGGER_NONE, KFT_TRIGGER_NONE);

	assert_int_equal(w.window.start_ns, 0);
	assert_true(w.window.stop_ns == UINT64_MAX);
	assert_int_equal(w.window.stopped, KFT_CAUSE_NONE);
	assert_int_equal(w.window.started, KFT_CAUSE_TIME);
	assert_int_equal(w.last_ns, 0);
	assert_false(w.start_missing || w.stop_missing);
}

static void times_are_the_kernels(void **state)
{
	struct kft_cut_boot w = find(*state, KFT_TRIGGER_TIME, KFT_TRIGGER_TIME);

	assert_int_equal(w.window.start_ns, 1000);
	assert_int_equal(w.window.stop_ns, 1500);
	assert_int_equal(w.window.started, KFT_CAUSE_TIME);
	assert_int_equal(w.window.stopped, KFT_CAUSE_TIME);
	w = find(*state, KFT_TRIGGER_NONE, KFT_TRIGGER_TIME);
	assert_int_equal(w.window.stop_ns, 500);
}

static void a_time_stop_counts_from_the_function(void **state)
{
	boot_add(*state, 0, 700, BOOT_PROBE_START, 1, F);
	assert_int_equal(find(*state, KFT_TRIGGER_ENTRY, KFT_TRIGGER_TIME).window.stop_ns,
			 1200);
}

/* The first record of the function counts, from any source; other functions are ignored. */
static void entries_from_any_source(void **state)
{
	struct boot_trace *b = *state;

	boot_add(b, 1, 50, BOOT_INIT_START, 1, 0x3000);
	boot_add(b, 1, 60, BOOT_ENTRY, 1, 0x3000);
	boot_add_exit(b, 0, 900, 7, F, 600); /* entered at 300 */
	boot_add(b, 0, 950, BOOT_PROBE_START, 8, F);
	struct kft_cut_boot w = find(b, KFT_TRIGGER_ENTRY, KFT_TRIGGER_NONE);
	assert_int_equal(w.window.start_ns, 300);
	assert_int_equal(w.window.started, KFT_CAUSE_TRIGGER);
	boot_add(b, 1, 280, BOOT_INIT_START, 1, F);
	assert_int_equal(find(b, KFT_TRIGGER_ENTRY, KFT_TRIGGER_NONE).window.start_ns,
			 280);
}

static void returns_from_any_source(void **state)
{
	struct boot_trace *b = *state;

	boot_add(b, 0, 100, BOOT_INIT_START, 1, 0x2000);
	boot_add_exit(b, 0, 200, 1, 0x3000, 50);
	boot_add_exit(b, 0, 300, 1, 0x2000, 150);
	boot_add_finish(b, 310, 1, 0x2000, 0);
	struct kft_cut_boot w = find(b, KFT_TRIGGER_NONE, KFT_TRIGGER_EXIT);
	assert_int_equal(w.window.stop_ns, 300);
	assert_int_equal(w.window.stopped, KFT_CAUSE_TRIGGER);
}

/* The record of the call that stops is in the run, even if the probe came first. */
static void the_stopping_call_is_whole(void **state)
{
	struct boot_trace *b = *state;

	boot_add(b, 0, 300, BOOT_PROBE_STOP, 1, 0x2000);
	boot_add_exit(b, 1, 303, 9, 0x2000, 150); /* of another task */
	boot_add_exit(b, 0, 304, 1, 0x2000, 150);
	boot_add_exit(b, 0, 500, 1, 0x2000, 450); /* the same function, further out */
	assert_int_equal(find(b, KFT_TRIGGER_NONE, KFT_TRIGGER_EXIT).window.stop_ns, 304);
}

static void a_stop_before_the_start_is_none(void **state)
{
	struct boot_trace *b = *state;

	boot_add(b, 0, 100, BOOT_PROBE_STOP, 1, 0x2000);
	boot_add(b, 0, 200, BOOT_PROBE_START, 1, F);
	boot_add(b, 0, 300, BOOT_PROBE_STOP, 1, 0x2000);
	assert_int_equal(find(b, KFT_TRIGGER_ENTRY, KFT_TRIGGER_ENTRY).window.stop_ns,
			 300);
}

static void what_did_not_fire_is_told(void **state)
{
	struct boot_trace *b = *state;

	boot_add_exit(b, 0, 300, 1, 0x3000, 150);
	boot_add_exit(b, 1, 290, 1, 0x3000, 10);
	struct kft_cut_boot w = find(b, KFT_TRIGGER_ENTRY, KFT_TRIGGER_EXIT);
	assert_true(w.start_missing && w.stop_missing);
	assert_int_equal(w.window.start_ns, 0);
	assert_true(w.window.stop_ns == UINT64_MAX);
	assert_int_equal(w.last_ns, 300);
}

#define WITH_TRACE(test) \
	cmocka_unit_test_setup_teardown(test, boot_trace_setup, boot_trace_teardown)

static const struct CMUnitTest tests[] = {
	WITH_TRACE(without_triggers_all_of_it),
	WITH_TRACE(times_are_the_kernels),
	WITH_TRACE(a_time_stop_counts_from_the_function),
	WITH_TRACE(entries_from_any_source),
	WITH_TRACE(returns_from_any_source),
	WITH_TRACE(the_stopping_call_is_whole),
	WITH_TRACE(a_stop_before_the_start_is_none),
	WITH_TRACE(what_did_not_fire_is_told),
};

T_MAIN(tests)
