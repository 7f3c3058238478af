// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "analysis/select.h"

#include "fake_trace.h"

static struct kft_filters none;

/* The ids that patterns select, as bits of the first word. */
static uint64_t select_ids(const char *pattern)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	uint64_t wanted[KFT_ID_WORDS] = {};
	struct kft_err e;

	assert_int_equal(kft_select_events(t, &pattern, 1, wanted, &none, &e), 0);
	return wanted[0];
}

static void expect_none(const char *pattern, int code, const char *msg, const char *hint)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	uint64_t wanted[KFT_ID_WORDS] = {};
	struct kft_err e;

	assert_int_equal(kft_select_events(t, &pattern, 1, wanted, &none, &e), code);
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
	assert_true(select_ids("irq,wake") == (1 << 2 | 1 << 3));
	assert_true(select_ids("*") == (1 << 1 | 1 << 2 | 1 << 3));
}

static void add_event(struct kft_trace *t, const char *text)
{
	assert_int_equal(kft_class_table_add(&t->classes, "perf", text, strlen(text)), 0);
}

/* perf's event names contain the separators of names, systems and filters (':', ',', '/'). */
static void names_with_separators_are_whole_names(void **state)
{
	static const struct {
		const char *pattern;
		uint64_t ids;
	} cases[] = {
		{"cycles:u", 1 << 4},
		{"perf:cycles:u", 1 << 4},
		{"cpu/event=0xc0,umask=1/", 1 << 5},
		{"perf:cpu/event=0xc0,umask=1/", 1 << 5},
		{"!cpu/event=0xc0,umask=1/", ~(UINT64_C(1) << 5)},
		{"perf", 1 << 4 | 1 << 5},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
		uint64_t wanted[KFT_ID_WORDS] = {};

		add_event(t, "name: cycles:u\nID: 4\nformat:\n");
		add_event(t, "name: cpu/event=0xc0,umask=1/\nID: 5\nformat:\n");
		assert_int_equal(
			kft_select_events(t, &cases[i].pattern, 1, wanted, &none, NULL),
			0);
		assert_true(wanted[0] == cases[i].ids);
	}
}

static void patterns_without_events(void **state)
{
	expect_none("shed", -ENOENT, "the trace describes no event 'shed'",
		    "did you mean 'sched'?");
	expect_none("sched:wkae", -ENOENT, "the trace describes no event 'sched:wkae'",
		    "did you mean 'wake'?");
	expect_none("irq:tick", -ENOENT, "the trace describes no event 'irq:tick'",
		    "did you mean 'tick'?");
	expect_none("sched:", -EINVAL, "not an event pattern: 'sched:'", "");
	expect_none(":tick", -EINVAL, "not an event pattern: ':tick'", "");
	expect_none("tick,shed", -ENOENT, "the trace describes no event 'shed'",
		    "did you mean 'sched'?");
	expect_none("tick,", -EINVAL, "not an event pattern: ''", "");
	expect_none("", -EINVAL, "not an event pattern: ''", "");
}

static void excluded_events(void **state)
{
	static const char *const after[] = {"!wake", "sched:*"};
	static const char *const before[] = {"sched:*", "!wake"};
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	uint64_t wanted[KFT_ID_WORDS] = {};
	const uint64_t sched = select_ids("sched:*");
	const uint64_t wake = select_ids("wake");

	assert_true(sched & wake && sched != wake);
	assert_true(select_ids("!wake") == ~wake);
	assert_true(select_ids("!sched:*,!wake") == ~sched);
	assert_true(select_ids("sched:*,!wake") == (sched & ~wake));
	assert_int_equal(kft_select_events(t, after, 2, wanted, &none, NULL), 0);
	assert_true(wanted[0] == (sched & ~wake));
	assert_int_equal(kft_select_events(t, before, 2, wanted, &none, NULL), 0);
	assert_true(wanted[0] == (sched & ~wake));
	expect_none("!wake/a==3/", -EINVAL, "an excluded event has no filter: '!wake'",
		    "to exclude some of its events, invert the filter: wake/!(FILTER)/");
	expect_none("!", -EINVAL, "not an event pattern: '!'", "");
	/* A trace without RCU's events has nothing to leave out; a single name may be misspelt. */
	assert_true(select_ids("!rcu:*") == UINT64_MAX);
	assert_true(select_ids("sched:*,!*_rcu") == sched);
	expect_none("!tack", -ENOENT, "the trace describes no event 'tack'",
		    "did you mean 'tick'?");
}

/* Which of the records with a = 0, 1, ... 9 pass. */
static unsigned int passing(const char *const *patterns, size_t n)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	_cleanup_(kft_filters_finish) struct kft_filters filters = {};
	uint64_t wanted[KFT_ID_WORDS] = {};
	unsigned int bits = 0;

	assert_int_equal(kft_select_events(t, patterns, n, wanted, &filters, NULL), 0);
	for (uint32_t a = 0; a < 10; a++) {
		struct fake_record record = {.type = 1, .a = a};
		struct kft_event ev = {.id = 1,
				       .data = (const uint8_t *)&record,
				       .size = sizeof(record)};

		bits |= (unsigned int)kft_filters_pass(&filters, &ev) << a;
	}
	return bits;
}

static void events_pass_with_any_of_their_filters(void **state)
{
	assert_int_equal(passing((const char *[]){"tick/a==3/"}, 1), 1 << 3);
	assert_int_equal(passing((const char *[]){"tick/a==3/", "sched/a>8/"}, 2),
			 1 << 3 | 1 << 9);
	assert_int_equal(passing((const char *[]){"tick/a==3/", "sched"}, 2), 0x3ff);
	assert_int_equal(passing((const char *[]){"wake/a==3/"}, 1), 0x3ff);
}

static void filters_that_fit_no_event(void **state)
{
	expect_none("sched:tick/c==1/", -ENOENT, "event 'sched:tick' has no field 'c'",
		    "did you mean 'a' or 'b'?");
	expect_none("sched:tick/a==/", -EINVAL,
		    "not a filter: 'a==': expected a number at its end", "");
	expect_none("tick/a==1", -EINVAL, "the filter of 'tick/a==1' has no closing '/'",
		    "events with a filter are written EVENT/FILTER/");
	expect_none("tick//", -EINVAL, "the filter of 'tick//' is empty",
		    "events with a filter are written EVENT/FILTER/");
}

static void a_later_format_with_the_same_id_is_the_one(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	static const char text[] = "name: newer\nID: 2\nformat:\n";
	uint64_t wanted[KFT_ID_WORDS] = {};

	assert_int_equal(kft_class_table_add(&t->classes, "x", text, strlen(text)), 0);
	const char *older = "wake";
	const char *newer = "x:newer";
	assert_int_equal(kft_select_events(t, &older, 1, wanted, &none, NULL), -ENOENT);
	assert_int_equal(kft_select_events(t, &newer, 1, wanted, &none, NULL), 0);
	assert_true(wanted[0] == 1 << 2);
}

static bool is_users(const char *system, const char *name)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	uint64_t wanted[KFT_ID_WORDS];
	char text[64];

	(void)snprintf(text, sizeof(text), "name: %s\nID: 70\n", name);
	assert_int_equal(kft_class_table_add(&t->classes, system, text, strlen(text)), 0);
	bool hides = kft_select_users(t, wanted);
	/* All others are there, also those that no format describes. */
	assert_true(wanted[0] == UINT64_MAX && wanted[KFT_ID_WORDS - 1] == UINT64_MAX);
	assert_int_equal(hides, !kft_bits_has(wanted, 70));
	return !hides;
}

static void what_kft_made_for_itself(void **state)
{
	assert_false(is_users("kft_0123abcd", "start"));
	assert_false(is_users("kft_0123abcd", "stop"));
	assert_true(is_users("kft_0123abcd", "started"));
	assert_true(is_users("kft_0123abcg", "start"));
	assert_true(is_users("kft_0123abcd9", "start"));
	assert_true(is_users("kftp_0123abcd", "start"));
	assert_true(is_users("sched", "stop"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_kft_made_for_itself),
	cmocka_unit_test(systems_events_and_globs),
	cmocka_unit_test(names_with_separators_are_whole_names),
	cmocka_unit_test(patterns_without_events),
	cmocka_unit_test(events_pass_with_any_of_their_filters),
	cmocka_unit_test(excluded_events),
	cmocka_unit_test(filters_that_fit_no_event),
	cmocka_unit_test(a_later_format_with_the_same_id_is_the_one),
};

T_MAIN(tests)
