// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <kft/reset.h>

#include "base/cursor.h"
#include "capture/capture.h"

#include "fake.h"
#include "fake_graph.h"
#include "test_sink.h"

#define INSTANCE FAKE_TRACEFS "/instances/kft-mine"
#define PAGES	 3

/* Adds pages that the fake kernel holds before recording begins. */
static void fill_pages(struct fake *f)
{
	char pages[PAGES * 4096 + 1];

	/* Records of padding that are longer than a page: pages without events. */
	memset(pages, KFT_HOST_BIG_ENDIAN ? 0xe8 : 0x1d, sizeof(pages) - 1);
	pages[sizeof(pages) - 1] = '\0';
	fake_template_write(f, "per_cpu/cpu0/trace_pipe_raw", pages);
	fake_write(f, "proc/kallsyms", "ffffffff81000000 T a\n");
}

static int plan_init(struct kft_plan *plan)
{
	*plan = (struct kft_plan){};
	assert_int_equal(kft_plan_set_name(plan, "mine", NULL), 0);
	return kft_plan_add_event(plan, "sched", "common_pid == 1", NULL);
}

/* Runs a whole session, or up to its first failure. The caller checks for leftovers. */
static int run(struct fake *f, struct test_sink *sink, struct kft_err *e)
{
	struct kft_capture_opts opts = {.command_line = "kft record", .sink_dirfd = -1};
	struct kft_capture *s = NULL;
	struct kft_plan plan;

	assert_int_equal(plan_init(&plan), 0);
	int r = kft_capture_create(f->host, &plan, &sink->base, &opts, &s, e);
	if (r == 0)
		r = kft_capture_arm(s, e);
	if (r == 0)
		r = kft_capture_start(s, e);
	if (r == 0) {
		int w = kft_capture_wait(s, NULL, 0, 20, NULL);

		r = kft_capture_stop(s, e);
		/* An error that wait has returned is explained by stop. */
		if (w < 0)
			assert_true(r < 0);
	}
	int c = kft_capture_close(s, NULL);
	kft_plan_finish(&plan);
	return r < 0 ? r : c;
}

static void all_that_was_recorded_arrives(void **state)
{
	struct fake *f = *state;
	struct test_sink sink;

	fill_pages(f);
	test_sink_init(&sink);
	assert_int_equal(run(f, &sink, NULL), 0);
	assert_int_equal(sink.begun, 1);
	assert_int_equal(sink.ended, 1);
	assert_int_equal(test_sink_bytes(&sink), PAGES * 4096);
	assert_string_equal(sink.clock.name, "mono");
	assert_int_equal(sink.n_stats, 1);
	assert_int_equal(sink.n_formats, 4);
	assert_string_equal(sink.command, "kft record");
	assert_non_null(strstr(sink.cmdlines, "2 kthreadd\n"));
	assert_int_equal(fake_instances(f), 0);
	test_sink_finish(&sink);
}

static void steps_change_the_kernel_one_by_one(void **state)
{
	struct fake *f = *state;
	struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_capture *s;
	struct kft_progress p;
	struct kft_plan plan;
	struct test_sink sink;

	fill_pages(f);
	test_sink_init(&sink);
	assert_int_equal(plan_init(&plan), 0);
	assert_int_equal(kft_capture_create(f->host, &plan, &sink.base, &opts, &s, NULL),
			 0);
	assert_string_equal(fake_read(f, INSTANCE "/tracing_on"), "0");
	assert_string_equal(fake_read(f, INSTANCE "/events/sched/sched_switch/enable"),
			    "0\n");
	assert_int_equal(kft_capture_arm(s, NULL), 0);
	assert_string_equal(fake_read(f, INSTANCE "/tracing_on"), "0");
	assert_string_equal(fake_read(f, INSTANCE "/events/sched/sched_switch/enable"),
			    "1");
	assert_string_equal(fake_read(f, INSTANCE "/events/sched/sched_switch/filter"),
			    "common_pid == 1");
	kft_plan_finish(&plan);
	kft_capture_progress(s, &p);
	assert_int_equal(p.elapsed_ns, 0);
	assert_int_equal(kft_capture_start(s, NULL), 0);
	assert_string_equal(fake_read(f, INSTANCE "/tracing_on"), "1");
	assert_int_equal(kft_capture_stop(s, NULL), 0);
	assert_string_equal(fake_read(f, INSTANCE "/tracing_on"), "0");
	kft_capture_progress(s, &p);
	assert_int_equal(p.bytes, PAGES * 4096);
	assert_true(p.elapsed_ns > 0);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	assert_int_equal(fake_instances(f), 0);
	test_sink_finish(&sink);
}

static void steps_have_an_order(void **state)
{
	struct fake *f = *state;
	struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_capture *s;
	struct kft_plan plan;
	struct test_sink sink;
	struct kft_err e;

	test_sink_init(&sink);
	assert_int_equal(plan_init(&plan), 0);
	assert_int_equal(kft_capture_create(f->host, &plan, &sink.base, &opts, &s, NULL),
			 0);
	assert_int_equal(kft_capture_start(s, &e), -EINVAL);
	assert_string_equal(e.msg, "the session was not primed");
	assert_int_equal(kft_capture_stop(s, &e), -EINVAL);
	assert_int_equal(kft_capture_wait(s, NULL, 0, 0, &e), -EINVAL);
	assert_int_equal(kft_capture_arm(s, NULL), 0);
	assert_int_equal(kft_capture_arm(s, NULL), -EINVAL);
	/* Closing is always right. */
	assert_int_equal(kft_capture_close(s, NULL), 0);
	assert_int_equal(fake_instances(f), 0);
	assert_int_equal(sink.ended, 0);
	kft_plan_finish(&plan);
	test_sink_finish(&sink);
}

/* Files without which a recording cannot be, in the order in which they are needed. */
static void every_step_can_fail_and_leaves_nothing(void **state)
{
	static const char *const vital[] = {
		"tracing_on",
		"trace_clock",
		"options/overwrite",
		"buffer_size_kb",
		"events/sched/sched_switch/filter",
		"per_cpu/cpu0/stats",
		"per_cpu/cpu0/trace_pipe_raw",
		"per_cpu",
	};
	static const char *const vital_top[] = {
		"available_events", "events/header_page", "events/header_event",
		"events",	    "instances",	  "trace_clock",
	};
	struct fake *f = *state;
	struct test_sink sink;
	struct kft_err e;

	test_sink_init(&sink);
	for (size_t i = 0; i < ARRAY_SIZE(vital); i++) {
		/* The file is missing (0), or a link to a directory (1). */
		for (int kind = 0; kind < 2; kind++) {
			e = (struct kft_err){};
			fill_pages(f);
			fake_template_remove(f, vital[i]);
			if (kind)
				fake_template_link(f, vital[i], "/proc/sys/kernel");
			if (strstr(vital[i], "sched_switch"))
				fake_template_remove(f, "events/sched/sched_wakeup");
			int r = run(f, &sink, &e);
			if (r == 0)
				fail_msg("no failure without %s (%d)", vital[i], kind);
			assert_int_equal(e.code, r);
			assert_true(e.msg[0] != '\0');
			assert_int_equal(fake_instances(f), 0);
			assert_int_equal(sink.ended, 0);
			void *again = NULL;
			fake_teardown((void **)&f);
			assert_int_equal(fake_tracefs_setup(&again), 0);
			f = again;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(vital_top); i++) {
		char path[128];
		void *again = NULL;

		(void)snprintf(path, sizeof(path), FAKE_TRACEFS "/%s", vital_top[i]);
		fake_remove(f, path);
		e = (struct kft_err){};
		int r = run(f, &sink, &e);
		if (r == 0)
			fail_msg("no failure without %s", path);
		assert_int_equal(e.code, r);
		if (strcmp(vital_top[i], "instances") != 0)
			assert_int_equal(fake_instances(f), 0);
		fake_teardown((void **)&f);
		assert_int_equal(fake_tracefs_setup(&again), 0);
		f = again;
	}
	*state = f;
	test_sink_finish(&sink);
}

static void a_failing_sink_leaves_nothing(void **state)
{
	static const struct {
		enum test_sink_step step;
		const char *msg;
	} steps[] = {
		{TEST_SINK_BEGIN, "the sink failed"},
		{TEST_SINK_CPU_FD, "the sink failed"},
		{TEST_SINK_WRITE,
		 "cannot write the trace of CPU 0: No space left on device"},
		{TEST_SINK_END, "the sink failed"},
	};
	struct fake *f = *state;
	struct test_sink sink;
	struct kft_err e;

	fill_pages(f);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		test_sink_init(&sink);
		sink.fail_at = steps[i].step;
		e = (struct kft_err){};
		assert_true(run(f, &sink, &e) < 0);
		assert_string_equal(e.msg, steps[i].msg);
		assert_int_equal(sink.ended, steps[i].step == TEST_SINK_END);
		assert_int_equal(fake_instances(f), 0);
		test_sink_finish(&sink);
	}
}

/* A recording in which CPU 0 loses 42 events. */
static void lose(struct fake *f, struct test_sink *sink, struct kft_progress *ret)
{
	struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_capture *s;
	struct kft_plan plan;

	assert_int_equal(plan_init(&plan), 0);
	assert_int_equal(kft_capture_create(f->host, &plan, &sink->base, &opts, &s, NULL),
			 0);
	assert_int_equal(kft_capture_arm(s, NULL), 0);
	/* Before the threads run: a plain file changes under the eyes of its readers. */
	fake_write(f, INSTANCE "/per_cpu/cpu0/stats",
		   "entries: 0\noverrun: 0\ncommit overrun: 0\n"
		   "now ts:  1180.000000\ndropped events: 42\nread events: 0\n");
	assert_int_equal(kft_capture_start(s, NULL), 0);
	assert_int_equal(kft_capture_stop(s, NULL), 0);
	kft_capture_progress(s, ret);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	kft_plan_finish(&plan);
}

static void losses_reach_the_sink(void **state)
{
	struct kft_progress p;
	struct test_sink sink;

	test_sink_init(&sink);
	lose(*state, &sink, &p);
	assert_int_equal(p.lost, 42);
	assert_int_equal(p.events, 0);
	assert_int_equal(sink.lost, 42);
	assert_int_equal(sink.meta_lost, 42);
	assert_int_equal(sink.dropped, 42);
	assert_int_equal(sink.ranges.len, 1);
	assert_int_equal(sink.ranges.data[0].since, UINT64_C(1179173202500));
	assert_int_equal(sink.ranges.data[0].until, UINT64_C(1180000000499));
	test_sink_finish(&sink);
}

/* All of it is in the meta that the sink gets at the end. */
static void a_sink_that_cannot_note_losses_ends_nothing(void **state)
{
	struct kft_progress p;
	struct test_sink sink;

	fill_pages(*state);
	test_sink_init(&sink);
	sink.fail_at = TEST_SINK_LOST;
	lose(*state, &sink, &p);
	assert_int_equal(sink.ended, 1);
	assert_int_equal(sink.meta_lost, 42);
	assert_int_equal(test_sink_bytes(&sink), PAGES * 4096);
	test_sink_finish(&sink);
}

static void waiting_ends_with_a_descriptor(void **state)
{
	struct fake *f = *state;
	struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_capture *s;
	struct kft_plan plan;
	struct test_sink sink;
	struct pollfd fd = {.fd = eventfd(0, EFD_CLOEXEC), .events = POLLIN};
	uint64_t one = 1;

	test_sink_init(&sink);
	assert_int_equal(plan_init(&plan), 0);
	assert_int_equal(kft_capture_create(f->host, &plan, &sink.base, &opts, &s, NULL),
			 0);
	assert_int_equal(kft_capture_arm(s, NULL), 0);
	assert_int_equal(kft_capture_start(s, NULL), 0);
	assert_int_equal(kft_capture_wait(s, &fd, 1, 0, NULL), 0);
	assert_int_equal(write(fd.fd, &one, sizeof(one)), sizeof(one));
	assert_int_equal(kft_capture_wait(s, &fd, 1, -1, NULL), 1);
	assert_int_equal(fd.revents, POLLIN);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	(void)close(fd.fd);
	kft_plan_finish(&plan);
	test_sink_finish(&sink);
}

static void many_cpus_need_many_descriptors(void **state)
{
	struct rlimit limit;
	struct fake *f = *state;
	struct test_sink sink;
	char path[64];

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	const struct rlimit few = {.rlim_cur = 64, .rlim_max = limit.rlim_max};
	for (int cpu = 1; cpu < 50; cpu++) {
		(void)snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", cpu);
		fake_template_write(f, path, "entries: 0\n");
		(void)snprintf(path, sizeof(path), "per_cpu/cpu%d/trace_pipe_raw", cpu);
		fake_template_write(f, path, "");
	}
	fill_pages(f);
	test_sink_init(&sink);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(run(f, &sink, NULL), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(sink.n_stats, 50);
	test_sink_finish(&sink);
}

static void an_empty_plan_is_refused(void **state)
{
	struct fake *f = *state;
	struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_plan plan = {};
	struct kft_capture *s;
	struct test_sink sink;
	struct kft_err e;

	test_sink_init(&sink);
	assert_int_equal(kft_capture_create(f->host, &plan, &sink.base, &opts, &s, &e),
			 -EINVAL);
	assert_int_equal(fake_instances(f), 0);
}

/* A plan of events and functions, with options that are global in the kernel. */
static void functions_plan_init(struct kft_plan *plan)
{
	assert_int_equal(plan_init(plan), 0);
	plan->functions = (struct kft_plan_functions){
		.enabled = true,
		.min_ns = 5000,
		.max_depth = 3,
		.context = KFT_CONTEXT_TASK,
	};
	assert_int_equal(kft_plan_add_root(plan, "vfs_write", NULL), 0);
}

static void fake_functions(struct fake *f, bool instances)
{
	fill_pages(f);
	fake_graph_files(f, "mine", instances);
	fake_write(f, TOP "max_graph_depth", "0\n");
	fake_write(f, TOP "set_graph_function", "");
	fake_write(f, TOP "set_event_pid", "");
	fake_write(f, TOP "trace", "");
	fake_write(f, TOP "trace_clock", "[local] global mono\n");
	fake_write(f, TOP "events/sched/sched_switch/enable", "0\n");
	fake_write(f, TOP "events/sched/sched_switch/filter", "none\n");
	fake_write(f, TOP "events/sched/sched_wakeup/enable", "0*\n");
	fake_write(f, TOP "events/sched/sched_wakeup/filter", "pid == 2\n");
	fake_write(f, TOP "per_cpu/cpu0/trace_pipe_raw", "");
}

static struct kft_capture *armed(struct fake *f, struct test_sink *sink)
{
	struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_capture *s;
	struct kft_plan plan;

	test_sink_init(sink);
	functions_plan_init(&plan);
	assert_int_equal(kft_capture_create(f->host, &plan, &sink->base, &opts, &s, NULL),
			 0);
	assert_int_equal(kft_capture_arm(s, NULL), 0);
	kft_plan_finish(&plan);
	return s;
}

static void expect_top_as_before(const struct fake *f)
{
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "0");
	assert_string_equal(fake_read(f, TOP "max_graph_depth"), "0");
	assert_string_equal(fake_read(f, TOP "set_graph_function"), "");
	assert_false(fake_exists(f, "run/kft/record+mine"));
}

/* The first number after "no pid". */
static long first_untraced(const struct fake *f, const char *path)
{
	const char *text = fake_read(f, path);

	assert_memory_equal(text, "no pid\n", 7);
	return strtol(text + 7, NULL, 10);
}

static void threads_that_drain_are_not_traced(void **state)
{
	struct fake *f = *state;
	struct test_sink sink;

	fake_functions(f, true);
	struct kft_capture *s = armed(f, &sink);
	assert_int_equal(kft_capture_start(s, NULL), 0);
	assert_int_equal(kft_capture_stop(s, NULL), 0);
	assert_true(first_untraced(f, INSTANCE "/set_ftrace_notrace_pid") > 0);
	assert_string_equal(fake_read(f, TOP "set_ftrace_notrace_pid"), "no pid\n");
	assert_int_equal(kft_capture_close(s, NULL), 0);
	test_sink_finish(&sink);
}

static void functions_and_events_share_an_instance(void **state)
{
	struct fake *f = *state;
	struct test_sink sink;

	fake_functions(f, true);
	struct kft_capture *s = armed(f, &sink);
	assert_string_equal(fake_read(f, INSTANCE "/current_tracer"), "function_graph");
	assert_string_equal(fake_read(f, INSTANCE "/tracing_on"), "0");
	assert_string_equal(fake_read(f, INSTANCE "/events/sched/sched_switch/enable"),
			    "1");
	assert_string_equal(fake_read(f, INSTANCE "/options/funcgraph-irqs"), "0");
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "5");
	assert_string_equal(fake_read(f, TOP "max_graph_depth"), "3");
	assert_string_equal(fake_read(f, TOP "set_graph_function"), "vfs_write");
	assert_string_equal(fake_read(f, TOP "current_tracer"), "nop\n");
	assert_int_equal(kft_capture_start(s, NULL), 0);
	assert_int_equal(kft_capture_stop(s, NULL), 0);
	assert_int_equal(test_sink_bytes(&sink), PAGES * 4096);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	assert_int_equal(fake_instances(f), 0);
	expect_top_as_before(f);
	test_sink_finish(&sink);
}

static void or_the_top_level_which_is_given_back(void **state)
{
	struct fake *f = *state;
	struct test_sink sink;

	fake_functions(f, false);
	struct kft_capture *s = armed(f, &sink);
	assert_int_equal(fake_instances(f), 0);
	assert_string_equal(fake_read(f, TOP "current_tracer"), "function_graph");
	assert_string_equal(fake_read(f, TOP "trace_clock"), "mono");
	assert_string_equal(fake_read(f, TOP "events/sched/sched_switch/enable"), "1");
	assert_string_equal(fake_read(f, TOP "events/sched/sched_wakeup/filter"),
			    "common_pid == 1");
	assert_int_equal(kft_capture_start(s, NULL), 0);
	assert_int_equal(kft_capture_stop(s, NULL), 0);
	assert_true(first_untraced(f, TOP "set_ftrace_notrace_pid") > 0);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	assert_string_equal(fake_read(f, TOP "set_ftrace_notrace_pid"), "");
	assert_string_equal(fake_read(f, TOP "current_tracer"), "nop");
	assert_string_equal(fake_read(f, TOP "trace_clock"), "local");
	assert_string_equal(fake_read(f, TOP "tracing_on"), "1");
	assert_string_equal(fake_read(f, TOP "events/sched/sched_switch/enable"), "0");
	assert_string_equal(fake_read(f, TOP "events/sched/sched_switch/filter"), "0");
	assert_string_equal(fake_read(f, TOP "events/sched/sched_wakeup/filter"),
			    "pid == 2");
	expect_top_as_before(f);
	test_sink_finish(&sink);
}

static int buffer_of(struct kft_sink *s, const char *name,
		     const struct kft_buffer_shape *shape, struct kft_sink **ret,
		     struct kft_err *e)
{
	assert_string_equal(name, "entries");
	*ret = s;
	return 0;
}

/* Calls have the instance of the session, entries one of their own. */
static void entries_are_recorded_beside_calls(void **state)
{
	struct fake *f = *state;
	struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_progress progress;
	struct kft_capture *s;
	struct kft_plan plan;
	struct test_sink sink;
	struct kft_err e;

	fake_functions(f, true);
	test_sink_init(&sink);
	functions_plan_init(&plan);
	assert_int_equal(kft_plan_add_entered(&plan, "?", NULL), 0);
	/* Written by their numbers, read back by their names: here these are the same. */
	fake_write(f, TOP "available_filter_functions", "1\n2\nother\n");
	assert_int_equal(kft_capture_create(f->host, &plan, &sink.base, &opts, &s, NULL),
			 0);
	/* A sink without buffer() has no place for the events of the companion instance. */
	assert_int_equal(kft_capture_arm(s, &e), -EOPNOTSUPP);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	assert_int_equal(fake_instances(f), 0);
	expect_top_as_before(f);

	struct kft_sink_ops ops = *sink.base.ops;
	ops.buffer = buffer_of;
	sink.base.ops = &ops;
	assert_int_equal(kft_capture_create(f->host, &plan, &sink.base, &opts, &s, NULL),
			 0);
	assert_int_equal(kft_capture_arm(s, NULL), 0);
	assert_string_equal(fake_read(f, INSTANCE "/current_tracer"), "function_graph");
	assert_string_equal(fake_read(f, INSTANCE "+entries/current_tracer"), "function");
	assert_string_equal(fake_read(f, INSTANCE "+entries/set_ftrace_filter"),
			    "1\n2\n");
	assert_string_equal(fake_read(f, INSTANCE "+entries/tracing_on"), "0");
	assert_int_equal(kft_capture_start(s, NULL), 0);
	assert_string_equal(fake_read(f, INSTANCE "+entries/tracing_on"), "1");
	assert_int_equal(kft_capture_stop(s, NULL), 0);
	assert_string_equal(fake_read(f, INSTANCE "+entries/tracing_on"), "0");
	kft_capture_progress(s, &progress);
	assert_int_equal(progress.bytes, 2 * PAGES * 4096);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	assert_int_equal(fake_instances(f), 0);
	expect_top_as_before(f);
	kft_plan_finish(&plan);
	test_sink_finish(&sink);
}

/* Another process records functions and is killed: its ledger is all that is known. */
static void a_killed_session_is_taken_back_by_the_next(void **state)
{
	struct fake *f = *state;
	struct kft_reset_report report;
	struct test_sink sink;
	struct kft_err e;
	int ready[2];
	char byte;

	fake_functions(f, false);
	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	if (pid == 0) {
		(void)armed(f, &sink);
		(void)!write(ready[1], "", 1);
		for (;;)
			(void)pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	struct kft_plan plan;
	struct kft_capture *s;
	struct kft_capture_opts opts = {.sink_dirfd = -1};
	functions_plan_init(&plan);
	test_sink_init(&sink);
	assert_int_equal(kft_capture_create(f->host, &plan, &sink.base, &opts, &s, NULL),
			 0);
	assert_int_equal(kft_capture_arm(s, &e), -EBUSY);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "5");
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(kft_reset(f->host, &report, NULL), 0);
	assert_int_equal(report.len, 1);
	assert_string_equal(report.items[0].name, "kft-mine");
	assert_int_equal(report.items[0].state, KFT_RESET_REMOVED);
	kft_reset_report_finish(&report);
	expect_top_as_before(f);
	assert_string_equal(fake_read(f, TOP "current_tracer"), "nop");
	kft_plan_finish(&plan);
	test_sink_finish(&sink);
	(void)close(ready[0]);
	(void)close(ready[1]);
}

static void closing_tells_what_stays(void **state)
{
	struct fake *f = *state;
	struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_capture *s;
	struct kft_plan plan;
	struct test_sink sink;
	struct kft_err e;

	test_sink_init(&sink);
	assert_int_equal(plan_init(&plan), 0);
	assert_int_equal(kft_capture_create(f->host, &plan, &sink.base, &opts, &s, NULL),
			 0);
	fake_write(f, INSTANCE "/busy", "");
	assert_int_equal(kft_capture_close(s, &e), -EBUSY);
	assert_non_null(strstr(e.msg, "'kft-mine' stays"));
	kft_plan_finish(&plan);
	test_sink_finish(&sink);
}

#define FAKE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(all_that_was_recorded_arrives),
	FAKE_TEST(steps_change_the_kernel_one_by_one),
	FAKE_TEST(steps_have_an_order),
	FAKE_TEST(every_step_can_fail_and_leaves_nothing),
	FAKE_TEST(a_failing_sink_leaves_nothing),
	FAKE_TEST(losses_reach_the_sink),
	FAKE_TEST(a_sink_that_cannot_note_losses_ends_nothing),
	FAKE_TEST(waiting_ends_with_a_descriptor),
	FAKE_TEST(many_cpus_need_many_descriptors),
	FAKE_TEST(an_empty_plan_is_refused),
	FAKE_TEST(threads_that_drain_are_not_traced),
	FAKE_TEST(functions_and_events_share_an_instance),
	FAKE_TEST(or_the_top_level_which_is_given_back),
	FAKE_TEST(entries_are_recorded_beside_calls),
	FAKE_TEST(a_killed_session_is_taken_back_by_the_next),
	FAKE_TEST(closing_tells_what_stays),
};

T_MAIN(tests)
