// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "doctor/means.h"

static void add_all(struct kft_plan *p)
{
	assert_int_equal(kft_plan_add_event(p, "sched", "prev_pid == 1", NULL), 0);
	p->events[0].stack = true;
	assert_int_equal(kft_plan_add_event(p, "syscalls:sys_enter_*", NULL, NULL), 0);
	assert_int_equal(kft_plan_add_probe(p, false, "vfs_read(count)", NULL), 0);
	assert_int_equal(kft_plan_add_probe(p, false, "vfs_read%return($retval)", NULL),
			 0);
	assert_int_equal(kft_plan_add_probe(p, true, "/bin/sh:main", NULL), 0);
	assert_int_equal(kft_plan_add_function(p, "vfs_*", NULL), 0);
	assert_int_equal(kft_plan_add_entered(p, "schedule", NULL), 0);
	assert_int_equal(kft_plan_add_root(p, "vfs_read", NULL), 0);
	assert_int_equal(
		kft_plan_trigger_set_event(&p->start, "sched:sched_switch", NULL, NULL),
		0);
	assert_int_equal(
		kft_plan_trigger_set_function(&p->stop, KFT_TRIGGER_EXIT, "f", NULL), 0);
	assert_int_equal(kft_plan_add_pid(p, 1, NULL), 0);
	p->functions.enabled = true;
	p->functions.min_ns = 1000;
	p->functions.max_ns = 2000;
	p->functions.args = true;
	p->stack = true;
}

static const struct kft_mechanism *row_of(const char *id)
{
	for (size_t i = 0; i < kft_n_mechanisms; i++)
		if (strcmp(kft_mechanisms[i].id, id) == 0)
			return &kft_mechanisms[i];
	fail_msg("doctor has no row '%s'", id);
	return NULL;
}

static void each_source_has_a_row_of_doctor(void **state)
{
	static const char *const want[][3] = {
		{"session", "a name of its own", "instances"},
		{"event", "sched", "events"},
		{"filter", "prev_pid == 1", "event-filters"},
		{"stack", "of sched", "event-triggers"},
		{"event", "syscalls:sys_enter_*", "syscall-events"},
		{"kprobe", "vfs_read", "kprobe-events"},
		{"arguments", "count", "btf"},
		{"kprobe", "vfs_read%return", "kretprobe-events"},
		{"uprobe", "/bin/sh:main", "uprobe-events"},
		{"calls", "vfs_*", "function-graph"},
		{"entries", "schedule", "function"},
		{"functions", "vfs_*", "filter-by-index"},
		{"min", "at least 1000 ns", "tracing-thresh"},
		{"max", "at most 2000 ns", NULL},
		{"limit", "calls within vfs_read", "function-graph"},
		{"details", "arguments", "graph-details"},
		{"condition", "start at sched:sched_switch", "event-triggers"},
		{"condition", "stop when f is left", "kprobe-events"},
		{"tasks", "1 process", "pid-filter"},
		{"stack", "of the kernel", "events"},
		{"clock", "mono", "clocks"},
		{"keeping", "all events", "splice"},
	};
	_cleanup_(kft_plan_finish) struct kft_plan p = {};
	struct kft_means_list list = {};

	add_all(&p);
	assert_int_equal(kft_means_of_plan(&p, &list), 0);
	assert_int_equal(list.items.len, ARRAY_SIZE(want));
	for (size_t i = 0; i < list.items.len; i++) {
		const struct kft_means *m = &list.items.data[i];

		assert_string_equal(m->source, want[i][0]);
		assert_string_equal(m->what, want[i][1]);
		assert_true(*m->by && *m->cost);
		if (want[i][2])
			assert_string_equal(row_of(m->mechanism)->id, want[i][2]);
		else
			assert_null(m->mechanism);
	}
	kft_means_finish(&list);
}

/* Only these rows are tried, and each after the rows that it depends on. */
static void rows_are_tried_in_the_order_of_the_table(void **state)
{
	static const char *const want[] = {"tracefs",	    "instances",      "events",
					   "event-filters", "splice",	      "clocks",
					   "function-list", "filter-by-index"};
	_cleanup_(kft_plan_finish) struct kft_plan p = {};
	_cleanup_free_ struct kft_mechanism *rows = NULL;
	struct kft_means_list list = {};
	size_t n;

	assert_int_equal(kft_plan_add_event(&p, "sched", "prev_pid == 1", NULL), 0);
	assert_int_equal(kft_means_of_plan(&p, &list), 0);
	assert_int_equal(kft_means_mechanisms(&list, &rows, &n), 0);
	assert_int_equal(n, ARRAY_SIZE(want));
	for (size_t i = 0; i < n; i++)
		assert_string_equal(rows[i].id, want[i]);
	kft_means_finish(&list);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_source_has_a_row_of_doctor),
	cmocka_unit_test(rows_are_tried_in_the_order_of_the_table),
};

T_MAIN(tests)
