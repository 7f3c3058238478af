// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "fake_trace.h"
#include "model/coverage.h"

enum { SWITCH = 1, WAKING, MIGRATE };

/* Record 0 of each stream says 0, the next one 1: fake_add_event() counts in field a. */
static const char *const formats[][2] = {
	{"sched", FORMAT("sched_switch", "1", FIELD("prev_pid", "8"))},
	{"sched", FORMAT("sched_waking", "2", FIELD("target_cpu", "8"))},
	{"sched", FORMAT("sched_migrate_task", "3", FIELD("dest_cpu", "8"))},
};

#define LATER UINT64_C(1000000000)

static struct kft_trace *trace(struct fake_stream **ret_cpu0)
{
	struct kft_trace *t = fake_trace_of(formats, ARRAY_SIZE(formats));

	*ret_cpu0 = fake_add_stream(t, 0, 0);
	fake_add_event(*ret_cpu0, 100, SWITCH, 1, 0);
	return t;
}

static struct kft_coverage coverage_of(struct kft_trace *t, const struct kft_scope *scope)
{
	struct kft_coverage c;

	kft_coverage_find(t, scope, &c);
	return c;
}

static void a_cpu_without_events_may_have_been_idle(void **state)
{
	struct fake_stream *cpu0;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = trace(&cpu0);

	(void)fake_add_stream(t, 0, 1);
	fake_add_event(cpu0, LATER, SWITCH, 1, 0);
	const struct kft_coverage c = coverage_of(t, NULL);

	assert_false(c.is_partial);
	assert_true(kft_cpuset_has(&c.cpus, 0));
	assert_false(kft_cpuset_has(&c.cpus, 1));
}

/* A trace whose event id sends a task to CPU 1. */
static bool is_partial(uint16_t id, bool goes_on, bool has_cpu1)
{
	struct fake_stream *cpu0;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = trace(&cpu0);

	fake_add_event(cpu0, 200, id, 1, 0);
	if (goes_on)
		fake_add_event(cpu0, LATER, SWITCH, 1, 0);
	if (has_cpu1)
		fake_add_event(fake_add_stream(t, 0, 1), 300, SWITCH, 1, 0);
	bool first = coverage_of(t, NULL).is_partial;

	assert_int_equal(coverage_of(t, NULL).is_partial, first);
	return first;
}

static void a_cpu_that_tasks_are_sent_to_was_not(void **state)
{
	static const uint16_t ids[] = {WAKING, MIGRATE};

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		/* The trace may end before CPU 1 switches to the task. */
		assert_false(is_partial(ids[i], false, false));
		assert_true(is_partial(ids[i], true, false));
		assert_false(is_partial(ids[i], true, true));
	}
}

static void where_all_of_the_machine_are_read_none_is_unseen(void **state)
{
	struct fake_stream *cpu0;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = trace(&cpu0);

	fake_add_event(cpu0, 200, WAKING, 1, 0);
	fake_add_event(cpu0, LATER, SWITCH, 1, 0);
	t->meta.cpu_count = 1;
	t->meta.has_machine_cpus = true;
	assert_false(coverage_of(t, NULL).is_partial);
	t->meta.cpu_count = 2;
	assert_true(coverage_of(t, NULL).is_partial);
	/* Other formats count their streams. */
	t->meta.cpu_count = 1;
	t->meta.has_machine_cpus = false;
	assert_true(coverage_of(t, NULL).is_partial);
}

static void a_cpu_out_of_scope_is_not_read(void **state)
{
	const uint64_t one = 1;
	const struct kft_scope scope = {.cpus = &one, .n_cpus = 64};
	struct fake_stream *cpu0;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = trace(&cpu0);
	struct fake_stream *cpu1 = fake_add_stream(t, 0, 1);

	assert_false(coverage_of(t, &scope).is_partial);
	fake_add_event(cpu1, 100, SWITCH, 1, 0);
	assert_true(coverage_of(t, &scope).is_partial);
	assert_false(coverage_of(t, NULL).is_partial);
}

static void overwritten_cpus_begin_later(void **state)
{
	static const char kft[] = "kft 0.1.0";
	struct fake_stream *cpu0;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = trace(&cpu0);

	t->meta.version = (struct kft_blob){kft, sizeof(kft) - 1};
	fake_add_event(fake_add_stream(t, 0, 1), 500, SWITCH, 1, 0);
	fake_add_event(fake_add_stream(t, 0, 2), 900, SWITCH, 1, 0);
	assert_int_equal(coverage_of(t, NULL).whole_from, 0);
	assert_true(kft_vec_push(&t->meta.stats,
				 (struct kft_cpu_stat){.cpu = 1, .overwritten = 7}));
	assert_int_equal(coverage_of(t, NULL).whole_from, 500);
	/* In a buffer without switches, too: tasks are followed without it. */
	t->meta.stats.data[0].buffer = "other";
	fake_add_event(fake_add_stream(t, 1, 1), 700, WAKING, 1, 0);
	(void)strcpy(t->buffers.data[1].name, "other");
	assert_int_equal(coverage_of(t, NULL).whole_from, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_cpu_without_events_may_have_been_idle),
	cmocka_unit_test(a_cpu_that_tasks_are_sent_to_was_not),
	cmocka_unit_test(where_all_of_the_machine_are_read_none_is_unseen),
	cmocka_unit_test(a_cpu_out_of_scope_is_not_read),
	cmocka_unit_test(overwritten_cpus_begin_later),
};

T_MAIN(tests)
