// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "analysis/select.h"
#include "fake_trace.h"

/* The ids that patterns select, as bits of the first word. */
static uint64_t select_ids(const char *pattern)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	uint64_t wanted[KFT_ID_WORDS] = {};
	struct kft_err e;

	assert_int_equal(kft_select_events(t, pattern, wanted, &e), 0);
	return wanted[0];
}

static void expect_none(const char *pattern, int code, const char *msg, const char *hint)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	uint64_t wanted[KFT_ID_WORDS] = {};
	struct kft_err e;

	assert_int_equal(kft_select_events(t, pattern, wanted, &e), code);
	assert_string_equal(e.msg, msg);
	assert_string_equal(e.hint, hint);
}

static void systems_events_and_globs(void **state)
{
	assert_true(select_ids("sched:tick") == 1 << 1);
	assert_true(select_ids("sched") == (1 << 1 | 1 << 2));
	assert_true(select_ids("wake") == 1 << 2);
	assert_true(select_ids("tick*") == (1 << 1 | 1 << 3));
	assert_true(select_ids("*:tick*") == (1 << 1 | 1 << 3));
	assert_true(select_ids("s*:*k*") == (1 << 1 | 1 << 2));
	assert_true(select_ids("[i]rq") == 1 << 3);
	assert_true(select_ids("*") == (1 << 1 | 1 << 2 | 1 << 3));
}

static void patterns_without_events(void **state)
{
	expect_none("shed", -ENOENT, "the trace describes no event 'shed'",
		    "did you mean 'sched'?");
	expect_none("sched:wkae", -ENOENT, "the trace describes no event 'sched:wkae'",
		    "did you mean 'wake'?");
	expect_none("irq:tick", -ENOENT, "the trace describes no event 'irq:tick'",
		    "did you mean 'tick'?");
	expect_none("sched:", -EINVAL, "'sched:' names no event", "");
	expect_none(":tick", -EINVAL, "':tick' names no event", "");
	expect_none("", -EINVAL, "'' names no event", "");
}

static void a_later_format_with_the_same_id_is_the_one(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	static const char text[] = "name: newer\nID: 2\nformat:\n";
	uint64_t wanted[KFT_ID_WORDS] = {};

	assert_int_equal(kft_class_table_add(&t->classes, "x", text, strlen(text)), 0);
	assert_int_equal(kft_select_events(t, "wake", wanted, NULL), -ENOENT);
	assert_int_equal(kft_select_events(t, "x:newer", wanted, NULL), 0);
	assert_true(wanted[0] == 1 << 2);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(systems_events_and_globs),
	cmocka_unit_test(patterns_without_events),
	cmocka_unit_test(a_later_format_with_the_same_id_is_the_one),
};

T_MAIN(tests)
