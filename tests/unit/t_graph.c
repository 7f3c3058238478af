// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "tracefs/sources/graph.h"
#include "fake.h"
#include "fake_graph.h"

/* A run's directory, and the ledger of changes that it may undo. */
struct owner {
	struct kft_rundir dir;
	struct kft_ledger ledger;
	struct kft_tracefs_dir place;
	struct kft_graph_setup setup;
};

static int set_up(struct fake *f, const char *name, const struct kft_plan *plan,
		  struct owner *o, struct kft_err *e)
{
	*o = (struct owner){.place = {.fd = -1}};
	assert_int_equal(kft_rundir_open(f->host, name, true, &o->dir, NULL), 0);
	assert_int_equal(kft_ledger_init(&o->ledger, f->host, o->dir.fd, NULL), 0);
	return kft_graph_set_up(&o->dir, &o->ledger, plan, &o->place, &o->setup, e);
}

static void give_back(struct owner *o)
{
	kft_tracefs_dir_close(&o->place);
	assert_int_equal(kft_ledger_undo(&o->ledger, NULL), 0);
	kft_graph_release(&o->dir);
	kft_rundir_close(&o->dir);
}

static void an_instance_is_set_up_and_goes_away(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {
		.buffer_bytes = 65536,
		.functions = {.min_ns = 500999, .context = KFT_CONTEXT_TASK}};
	struct owner o;

	fake_graph_files(f, "a", true);
	assert_int_equal(set_up(f, "a", &plan, &o, NULL), 0);
	assert_false(o.setup.top);
	assert_true(o.setup.skips_irqs);
	assert_int_equal(o.setup.thresh_us, 500);
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "500");
	assert_string_equal(fake_read(f, fake_graph_path("a", "current_tracer")),
			    "function_graph");
	assert_string_equal(fake_read(f, fake_graph_path("a", "tracing_on")), "0");
	assert_string_equal(fake_read(f, fake_graph_path("a", "trace_clock")), "mono");
	assert_string_equal(fake_read(f, fake_graph_path("a", "buffer_size_kb")), "64");
	assert_string_equal(fake_read(f, fake_graph_path("a", "options/funcgraph-irqs")),
			    "0");
	assert_string_equal(fake_read(f, TOP "current_tracer"), "nop\n");
	give_back(&o);
	assert_int_equal(fake_instances(f), 0);
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "0");
}

static void the_top_level_is_given_back(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {.buffer_bytes = 65536};
	struct owner o;

	fake_graph_files(f, "a", false);
	assert_int_equal(kft_plan_add_pid(&plan, 12, NULL), 0);
	assert_int_equal(set_up(f, "a", &plan, &o, NULL), 0);
	assert_true(o.setup.top);
	assert_true(o.setup.tasks_filtered);
	assert_int_equal(fake_instances(f), 0);
	assert_string_equal(fake_read(f, TOP "current_tracer"), "function_graph");
	assert_string_equal(fake_read(f, TOP "set_ftrace_pid"), "12\n");
	assert_string_equal(fake_read(f, TOP "options/overwrite"), "0");
	give_back(&o);
	assert_string_equal(fake_read(f, TOP "current_tracer"), "nop");
	assert_string_equal(fake_read(f, TOP "set_ftrace_pid"), "");
	assert_string_equal(fake_read(f, TOP "options/overwrite"), "1");
	assert_string_equal(fake_read(f, TOP "trace_clock"), "local");
	assert_string_equal(fake_read(f, TOP "tracing_on"), "1");
	assert_string_equal(fake_read(f, TOP "buffer_size_kb"), "1408");
	kft_plan_finish(&plan);
}

static void what_others_use_is_left_to_them(void **state)
{
	static const char *const used[][3] = {
		{"current_tracer", "function\n", "current_tracer is function"},
		{"set_ftrace_filter", "vfs_read\n", "set_ftrace_filter"},
		{"set_ftrace_pid", "12\n", "set_ftrace_pid"},
		{"events/enable", "X\n", "it has events enabled"},
		{"per_cpu/cpu0/stats", "entries: 3\n",
		 "its buffer has data, which would be lost"},
	};
	struct fake *f = *state;
	struct kft_plan plan = {};

	for (size_t i = 0; i < ARRAY_SIZE(used); i++) {
		struct kft_err e = {};
		struct owner o;

		fake_graph_files(f, "a", false);
		fake_write(f, fake_graph_path(NULL, used[i][0]), used[i][1]);
		assert_int_equal(set_up(f, "a", &plan, &o, &e), -EBUSY);
		assert_non_null(strstr(e.msg, used[i][2]));
		assert_true(*e.hint);
		give_back(&o);
		assert_string_equal(fake_read(f, fake_graph_path(NULL, used[i][0])),
				    used[i][1]);
	}
}

static void a_foreign_threshold_is_noticed(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {};
	struct kft_err e = {};
	struct owner o;

	fake_graph_files(f, "a", true);
	fake_write(f, TOP "tracing_thresh", "77\n");
	assert_int_equal(set_up(f, "a", &plan, &o, &e), -EBUSY);
	assert_non_null(strstr(e.msg, "another program has set tracing_thresh to 77"));
	give_back(&o);
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "77\n");
	fake_write(f, TOP "tracing_thresh", "0\n");
	fake_write(f, TOP "current_tracer", "function_graph\n");
	plan.functions.min_ns = 5000;
	assert_int_equal(set_up(f, "a", &plan, &o, &e), -EBUSY);
	assert_non_null(strstr(e.msg, "another program traces with function_graph"));
	give_back(&o);
}

static void runs_that_disagree_cannot_be_at_once(void **state)
{
	struct fake *f = *state;
	struct kft_plan with = {.functions = {.min_ns = 5000}};
	struct kft_plan without = {};
	struct kft_plan noints = {
		.functions = {.min_ns = 5000, .context = KFT_CONTEXT_TASK}};
	struct kft_err e = {};
	struct owner a;
	struct owner b;

	fake_graph_files(f, "a", true);
	assert_int_equal(set_up(f, "a", &with, &a, NULL), 0);
	assert_int_equal(set_up(f, "b", &without, &b, &e), -EBUSY);
	assert_non_null(strstr(e.msg, "session 'a' traces with another mintime"));
	give_back(&b);
	/* Both plans go together: interrupts are left out while reading, not in the kernel. */
	assert_int_equal(set_up(f, "b", &noints, &b, NULL), 0);
	assert_false(b.setup.skips_irqs);
	give_back(&b);
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "5");
	give_back(&a);
	assert_int_equal(set_up(f, "a", &noints, &a, NULL), 0);
	assert_true(a.setup.skips_irqs);
	assert_int_equal(set_up(f, "b", &with, &b, &e), -EBUSY);
	assert_non_null(strstr(e.msg, "session 'a' leaves interrupts out"));
	give_back(&b);
	give_back(&a);
}

static void the_top_level_is_for_one_run(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {};
	struct kft_err e = {};
	struct owner a;
	struct owner b;

	fake_graph_files(f, "a", false);
	assert_int_equal(set_up(f, "a", &plan, &a, NULL), 0);
	assert_int_equal(set_up(f, "b", &plan, &b, &e), -EBUSY);
	assert_non_null(strstr(e.msg, "session 'a' holds the tracer"));
	give_back(&b);
	assert_string_equal(fake_read(f, TOP "current_tracer"), "function_graph");
	give_back(&a);
}

static void untimed_runs_have_no_threshold(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {.functions = {.untimed = true}};
	struct owner o;

	fake_graph_files(f, "a", true);
	assert_int_equal(set_up(f, "a", &plan, &o, NULL), 0);
	assert_int_equal(o.setup.thresh_us, 0);
	give_back(&o);
}

static void an_unknown_function_is_refused(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {};
	struct kft_err e = {};
	struct owner o;

	fake_graph_files(f, "a", true);
	assert_int_equal(kft_plan_add_function(&plan, "vfs_raed", NULL), 0);
	assert_int_equal(set_up(f, "a", &plan, &o, &e), -ENOENT);
	assert_string_equal(e.hint, "did you mean 'vfs_read'?");
	give_back(&o);
	assert_int_equal(fake_instances(f), 0);
	kft_plan_finish(&plan);
	assert_int_equal(kft_plan_add_function(&plan, "vfs_*", NULL), 0);
	assert_int_equal(kft_plan_exclude_function(&plan, "vfs_*", NULL), 0);
	assert_int_equal(set_up(f, "a", &plan, &o, &e), -EINVAL);
	assert_string_equal(e.msg, "no function is left to be recorded");
	give_back(&o);
	kft_plan_finish(&plan);
}

/* A filter with all of them would leave out those of modules that are loaded later. */
static void all_functions_need_no_filter(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {.buffer_bytes = 65536};
	struct owner o;

	fake_graph_files(f, "a", true);
	assert_int_equal(kft_plan_add_function(&plan, "vfs_read", NULL), 0);
	assert_int_equal(kft_plan_add_function(&plan, "*", NULL), 0);
	assert_int_equal(set_up(f, "a", &plan, &o, NULL), 0);
	assert_false(o.setup.functions_filtered);
	give_back(&o);
	kft_plan_finish(&plan);
}

#define WITH_TRACEFS(test) \
	cmocka_unit_test_setup_teardown(test, fake_tracefs_setup, fake_teardown)

static void arguments_and_return_values_are_recorded_or_refused(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {.buffer_bytes = 65536, .functions = {.retval = true}};
	struct kft_err e = {};
	struct owner o;

	fake_graph_files(f, "a", true);
	assert_int_equal(set_up(f, "a", &plan, &o, &e), -EOPNOTSUPP);
	assert_string_equal(e.msg,
			    "this kernel does not record the return values of functions");
	assert_string_equal(e.hint,
			    "Linux since 6.5 with CONFIG_FUNCTION_GRAPH_RETVAL does");
	give_back(&o);
	assert_int_equal(fake_instances(f), 0);
	fake_template_write(f, "options/funcgraph-retval", "0\n");
	fake_template_write(f, "options/funcgraph-args", "0\n");
	plan.functions.args = true;
	assert_int_equal(set_up(f, "a", &plan, &o, NULL), 0);
	assert_string_equal(
		fake_read(f, fake_graph_path("a", "options/funcgraph-retval")), "1");
	assert_string_equal(fake_read(f, fake_graph_path("a", "options/funcgraph-args")),
			    "1");
	give_back(&o);
	assert_int_equal(fake_instances(f), 0);
}

static const struct CMUnitTest tests[] = {
	WITH_TRACEFS(arguments_and_return_values_are_recorded_or_refused),
	WITH_TRACEFS(all_functions_need_no_filter),
	WITH_TRACEFS(an_instance_is_set_up_and_goes_away),
	WITH_TRACEFS(the_top_level_is_given_back),
	WITH_TRACEFS(what_others_use_is_left_to_them),
	WITH_TRACEFS(a_foreign_threshold_is_noticed),
	WITH_TRACEFS(runs_that_disagree_cannot_be_at_once),
	WITH_TRACEFS(the_top_level_is_for_one_run),
	WITH_TRACEFS(untimed_runs_have_no_threshold),
	WITH_TRACEFS(an_unknown_function_is_refused),
};

T_MAIN(tests)
