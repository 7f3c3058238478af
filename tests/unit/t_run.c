// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "session/run/retention.h"
#include "session/run/run.h"
#include "fake.h"
#include "fake_graph.h"
#include "test_sink.h"

static struct kft_plan plan;
static const struct kft_run_options options;

static int setup(void **state)
{
	int r = fake_tracefs_setup(state);

	fake_graph_files(*state, "a", true);
	plan = (struct kft_plan){.functions = {.enabled = true}};
	return r;
}

static int teardown(void **state)
{
	kft_plan_finish(&plan);
	return fake_teardown(state);
}

static void load(struct fake *f, struct kft_run *r)
{
	assert_int_equal(kft_run_load(f->host, "a", "begin end", 9, &options, r, NULL),
			 0);
}

static void trigger(struct kft_plan_trigger *t, enum kft_trigger_kind kind)
{
	assert_int_equal(kft_plan_trigger_set_function(t, kind, "vfs_read", NULL), 0);
}

static void fire(struct fake *f, const char *event, bool tracing_on)
{
	char group[KFT_PROBE_GROUP_MAX];
	char file[128];

	kft_probes_group("a", group);
	(void)snprintf(file, sizeof(file), "events/%s/%s/trigger", group, event);
	fake_write(f, fake_graph_path("a", file),
		   strcmp(event, KFT_PROBE_START) == 0 ? "traceon:count=0\n"
						       : "traceoff:count=0\n");
	fake_write(f, fake_graph_path("a", "tracing_on"), tracing_on ? "1\n" : "0\n");
}

static void a_run_that_is_not_understood_can_be_reset(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	struct kft_run r;

	load(f, &r);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 0, NULL), 0);
	kft_run_close(&r);
	assert_int_equal(kft_rundir_open(f->host, "a", false, &d, NULL), 0);
	assert_int_equal(kft_rundir_write(&d, "state", "id 1\nnew 2\n", 11, NULL), 0);
	kft_rundir_close(&d);
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), -EINVAL);
	assert_int_equal(kft_run_open_to_reset(f->host, "a", &r), 0);
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
	assert_int_equal(kft_run_open_to_reset(f->host, "a", &r), -ENOENT);
}

#define BOOT_ID "proc/sys/kernel/random/boot_id"

static void a_reboot_is_told_from_a_removed_instance(void **state)
{
	struct fake *f = *state;
	struct kft_err e = {};
	struct kft_run r;

	fake_write(f, BOOT_ID, "one\n");
	load(f, &r);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	kft_run_close(&r);
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_int_equal(kft_run_refresh(&r, &plan, &e), 0);
	kft_run_close(&r);
	fake_write(f, BOOT_ID, "two\n");
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_int_equal(kft_run_refresh(&r, &plan, &e), -ENOENT);
	assert_non_null(strstr(e.msg, "the machine was rebooted"));
	kft_run_close(&r);
}

static void a_session_without_a_boot_id_works(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	fake_write(f, BOOT_ID, "one\n");
	load(f, &r);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	kft_run_close(&r);
	fake_remove(f, "run/kft/a/boot_id");
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_true(r.is_attached);
	kft_run_close(&r);
}

static void steps_that_do_not_fit_are_refused(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), -ENOENT);
	load(f, &r);
	assert_int_equal(kft_run_stop(&r, &plan, KFT_CAUSE_USER, 1, NULL), -EINVAL);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	/* Priming a primed run succeeds without effect. */
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 6, NULL), -EINVAL);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), -EINVAL);
	kft_run_close(&r);
	assert_int_equal(kft_run_load(f->host, "a", "x", 1, &options, &r, NULL), -EBUSY);
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_int_equal(kft_run_stop(&r, &plan, KFT_CAUSE_USER, 9, NULL), 0);
	assert_int_equal(kft_run_stop(&r, &plan, KFT_CAUSE_USER, 9, NULL), -EINVAL);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 9, NULL), -EINVAL);
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
	assert_int_equal(fake_instances(f), 0);
	assert_false(fake_exists(f, "run/kft/a"));
}

static void events_are_recorded_beside_calls(void **state)
{
	struct fake *f = *state;
	struct kft_err e;
	struct kft_run r;

	assert_int_equal(
		kft_plan_add_event(&plan, "sched:sched_switch", "prev_pid == 3", NULL),
		0);
	load(f, &r);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	assert_string_equal(
		fake_read(f, fake_graph_path("a", "events/sched/sched_switch/enable")),
		"1");
	assert_string_equal(
		fake_read(f, fake_graph_path("a", "events/sched/sched_switch/filter")),
		"prev_pid == 3");
	assert_string_equal(
		fake_read(f, fake_graph_path("a", "events/sched/sched_wakeup/enable")),
		"0\n");
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
	assert_int_equal(kft_plan_add_event(&plan, "sched:sched_swich", NULL, NULL), 0);
	load(f, &r);
	assert_int_equal(kft_run_prime(&r, &plan, &e), -ENOENT);
	assert_int_equal(fake_instances(f), 0);
	kft_run_close(&r);
}

/* Primes, starts, stops and takes a run; returns the number of formats in its trace. */
static size_t formats_of_a_run(struct fake *f)
{
	struct test_sink sink;
	struct kft_run r;

	test_sink_init(&sink);
	load(f, &r);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
	assert_int_equal(kft_run_take(&r, &plan, &sink.base, NULL, NULL, NULL), -EINVAL);
	assert_int_equal(kft_run_stop(&r, &plan, KFT_CAUSE_USER, 9, NULL), 0);
	assert_int_equal(kft_run_take(&r, &plan, &sink.base, "kft save", NULL, NULL), 0);
	assert_int_equal(r.rec.state, KFT_STATE_SAVED);
	assert_int_equal(sink.ended, 1);
	assert_string_equal(sink.command, "kft save");
	assert_int_equal(fake_instances(f), 0);
	size_t n = sink.n_formats;
	test_sink_finish(&sink);
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
	return n;
}

static void what_is_taken_knows_its_events(void **state)
{
	struct fake *f = *state;

	/* A trace of calls only has only the formats of the tracers. */
	assert_int_equal(formats_of_a_run(f), 1);
	assert_int_equal(kft_plan_add_event(&plan, "sched", NULL, NULL), 0);
	assert_int_equal(formats_of_a_run(f), 4);
}

static void a_pause_is_marked_and_ends_with_the_resume(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	load(f, &r);
	assert_int_equal(kft_run_pause(&r, &plan, KFT_CAUSE_USER, NULL), -EINVAL);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
	/* It records already: there is nothing to resume. */
	assert_int_equal(kft_run_resume(&r, KFT_CAUSE_USER, NULL), 0);
	assert_string_equal(fake_read(f, fake_graph_path("a", "trace_marker")),
			    "kft: start user 5");
	assert_int_equal(kft_run_pause(&r, &plan, KFT_CAUSE_USER, NULL), 0);
	assert_string_equal(fake_read(f, fake_graph_path("a", "tracing_on")), "0");
	assert_true(strncmp(fake_read(f, fake_graph_path("a", "trace_marker")),
			    "kft: pause user ", 16) == 0);
	kft_run_close(&r);
	/* Another process sees the run as paused, not as stopped by another program. */
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"), "entries: 3\n");
	assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
	assert_int_equal(r.rec.state, KFT_STATE_PAUSED);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 6, NULL), -EINVAL);
	assert_int_equal(kft_run_resume(&r, KFT_CAUSE_USER, NULL), 0);
	assert_string_equal(fake_read(f, fake_graph_path("a", "tracing_on")), "1");
	assert_true(strncmp(fake_read(f, fake_graph_path("a", "trace_marker")),
			    "kft: resume user ", 17) == 0);
	assert_int_equal(kft_run_pause(&r, &plan, KFT_CAUSE_USER, NULL), 0);
	assert_int_equal(kft_run_stop(&r, &plan, KFT_CAUSE_USER, 9, NULL), 0);
	assert_int_equal(r.rec.state, KFT_STATE_COMPLETE);
	assert_int_equal(kft_run_resume(&r, KFT_CAUSE_USER, NULL), -EINVAL);
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

static void starting_needs_no_priming(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	load(f, &r);
	assert_false(fake_exists(f, fake_graph_path("a", "tracing_on")));
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
	assert_string_equal(fake_read(f, fake_graph_path("a", "tracing_on")), "1");
	assert_string_equal(fake_read(f, fake_graph_path("a", "trace_marker")),
			    "kft: start user 5");
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

/* Each step is made by another process, as if the one before had been killed. */
static void another_process_goes_on(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	trigger(&plan.start, KFT_TRIGGER_ENTRY);
	trigger(&plan.stop, KFT_TRIGGER_EXIT);
	load(f, &r);
	kft_run_close(&r);
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	kft_run_close(&r);
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
	assert_int_equal(r.rec.state, KFT_STATE_PRIMED);
	assert_int_equal(r.rec.started, KFT_CAUSE_NONE);
	kft_run_close(&r);
	fire(f, KFT_PROBE_START, true);
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
	assert_int_equal(r.rec.started, KFT_CAUSE_TRIGGER);
	assert_false(kft_state_is_complete(r.rec.state));
	kft_run_close(&r);
	fire(f, KFT_PROBE_STOP, false);
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
	assert_true(kft_state_is_complete(r.rec.state));
	assert_int_equal(r.rec.stopped, KFT_CAUSE_TRIGGER);
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

static void a_full_buffer_and_a_stranger_end_a_run(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	for (int full = 0; full < 2; full++) {
		load(f, &r);
		assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
		assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
		assert_false(kft_state_is_complete(r.rec.state));
		if (full)
			fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"),
				   "entries: 9\ndropped events: 1\n");
		else
			fake_write(f, fake_graph_path("a", "tracing_on"), "0\n");
		assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
		assert_true(kft_state_is_complete(r.rec.state));
		assert_int_equal(r.rec.stopped, full ? KFT_CAUSE_FULL : KFT_CAUSE_OTHER);
		assert_int_equal(kft_run_reset(&r, NULL), 0);
		kft_run_close(&r);
	}
}

static void start_by_hand(struct fake *f, struct kft_run *r)
{
	load(f, r);
	assert_int_equal(kft_run_start(r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
	fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"), "entries: 3\n");
	assert_int_equal(kft_run_refresh(r, &plan, NULL), 0);
	assert_false(kft_state_is_complete(r->rec.state));
	assert_int_equal(r->rec.disturbed, 0);
}

static void what_others_do_to_a_run_is_noticed(void **state)
{
	static const struct {
		const char *run; /* NULL: file is at the top level */
		const char *file;
		const char *text;
		unsigned int disturbance;
	} changes[] = {
		{"a", "current_tracer", "nop\n", KFT_DISTURBED_TRACER},
		{NULL, "tracing_thresh", "100\n", KFT_DISTURBED_THRESH},
		{"a", "per_cpu/cpu0/stats", "entries: 0\n", KFT_DISTURBED_BUFFER},
	};
	struct fake *f = *state;
	struct kft_run r;

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		start_by_hand(f, &r);
		kft_run_close(&r);
		fake_write(f, fake_graph_path(changes[i].run, changes[i].file),
			   changes[i].text);
		/* One process finds the change, and the next one reads it from the state file. */
		assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
		assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
		kft_run_close(&r);
		assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
		assert_int_equal(r.rec.disturbed, changes[i].disturbance);
		assert_int_equal(kft_state_is_complete(r.rec.state),
				 changes[i].disturbance == KFT_DISTURBED_TRACER);
		assert_int_equal(kft_run_reset(&r, NULL), 0);
		kft_run_close(&r);
		fake_write(f, TOP "tracing_thresh", "0\n");
	}
}

/* Only when the kernel does all of the filtering is a record a call. */
static void logentries_end_a_run(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	plan.functions.max_calls = 100;
	for (int filtered = 1; filtered >= 0; filtered--) {
		plan.functions.max_ns = filtered ? 5 : 0;
		load(f, &r);
		assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
		fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"),
			   "entries: 455\n");
		assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
		assert_false(kft_state_is_complete(r.rec.state));
		fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"),
			   "entries: 456\n");
		assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
		assert_int_equal(kft_state_is_complete(r.rec.state), !filtered);
		assert_int_equal(kft_run_reset(&r, NULL), 0);
		kft_run_close(&r);
	}
}

/* Drained events count as well: the kernel's "read events" is their number. */
static void a_recording_ends_at_its_limit(void **state)
{
	static const char *const less = "entries: 60\nread events: 39\nbytes: 599\n";
	static const char *const more[] = {
		"entries: 60\nread events: 40\nbytes: 599\n",
		"entries: 60\nread events: 39\nbytes: 600\n",
	};
	struct fake *f = *state;
	struct kft_run r;

	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		load(f, &r);
		r.rec.options.max_events = 100;
		r.rec.options.max_bytes = 1000;
		assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
		r.rec.drained_bytes = 400;
		fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"), less);
		assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
		assert_false(kft_state_is_complete(r.rec.state));
		fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"), more[i]);
		assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
		assert_int_equal(r.rec.stopped, KFT_CAUSE_LIMIT);
		assert_int_equal(kft_run_reset(&r, NULL), 0);
		kft_run_close(&r);
	}
}

static void assert_count_due(struct fake *f, struct kft_run *r, uint64_t entries,
			     bool due)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "entries: %llu\n",
		       (unsigned long long)entries);
	fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"), text);
	assert_int_equal(kft_run_refresh(r, &plan, NULL), 0);
	assert_int_equal(r->count_due, due);
}

/* With filters of kft, the number of calls that pass is unknown until kft counts them. */
static void calls_are_counted_when_there_may_be_enough(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	plan.functions.max_calls = 100;
	plan.functions.max_ns = 5;
	assert_int_equal(kft_run_load(f->host, "a", "begin end", 9,
				      &(struct kft_run_options){.buffer_bytes = 1 << 20},
				      &r, NULL),
			 0);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
	assert_count_due(f, &r, 99, false);
	assert_count_due(f, &r, 100, true);
	/* 10 of 100 calls passed, so 90 more need about 900 calls; the next count is after half. */
	assert_int_equal(kft_run_counted(&r, &plan, 10, 100, NULL), 0);
	assert_false(r.count_due);
	kft_run_close(&r);
	/* Another process continues with the saved state. */
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_count_due(f, &r, 449, false);
	assert_count_due(f, &r, 450, true);
	/* No call passed: the next count is after as many calls again. */
	assert_int_equal(kft_run_counted(&r, &plan, 0, 700, NULL), 0);
	assert_count_due(f, &r, 699, false);
	assert_count_due(f, &r, 700, true);
	/* A count is due at the latest when a good part of the buffer is full. */
	assert_int_equal(kft_run_counted(&r, &plan, 1, 1000000, NULL), 0);
	assert_count_due(f, &r, 4095, false);
	assert_count_due(f, &r, 4096, true);
	assert_int_equal(kft_run_counted(&r, &plan, 100, 1000, NULL), 0);
	assert_true(kft_state_is_complete(r.rec.state));
	assert_int_equal(r.rec.stopped, KFT_CAUSE_ENTRIES);
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

/* With autorepeat a run that is off waits for its next start. */
static void autorepeat_waits_again(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	plan.autorepeat = true;
	load(f, &r);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
	fake_write(f, fake_graph_path("a", "tracing_on"), "0\n");
	assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
	assert_false(kft_state_is_complete(r.rec.state));
	assert_int_equal(r.rec.start_ns, 0);
	fake_write(f, fake_graph_path("a", "tracing_on"), "1\n");
	assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
	assert_true(r.rec.start_ns > 0);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 6, NULL), -EINVAL);
	assert_int_equal(kft_run_wait_again(&r, 7, NULL), 0);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 8, NULL), 0);
	fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"),
		   "entries: 9\ndropped events: 1\n");
	assert_int_equal(kft_run_refresh(&r, &plan, NULL), 0);
	assert_int_equal(r.rec.stopped, KFT_CAUSE_FULL);
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

static void runs_are_counted(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	load(f, &r);
	assert_int_equal(r.rec.id, 0);
	kft_run_close(&r);
	load(f, &r);
	assert_int_equal(r.rec.id, 1);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
	assert_int_equal(kft_run_stop(&r, &plan, KFT_CAUSE_USER, 9, NULL), 0);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	assert_int_equal(r.rec.id, 2);
	assert_false(kft_state_is_complete(r.rec.state));
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

/* The run is set up in part when the step fails. */
static void a_failed_step_is_taken_back(void **state)
{
	struct fake *f = *state;
	struct kft_run r;
	struct kft_err e = {};

	fake_remove(f, TOP "kprobe_events");
	plan.functions.min_ns = 5000;
	trigger(&plan.start, KFT_TRIGGER_ENTRY);
	load(f, &r);
	assert_true(kft_run_prime(&r, &plan, &e) < 0);
	assert_non_null(strstr(e.msg, "cannot put a probe on 'vfs_read'"));
	assert_int_equal(r.rec.state, KFT_STATE_LOADED);
	assert_int_equal(fake_instances(f), 0);
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "0");
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

static void a_removed_instance_is_told(void **state)
{
	struct fake *f = *state;
	struct kft_run r;
	struct kft_err e = {};

	load(f, &r);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	kft_run_close(&r);
	fake_remove(f, TOP "instances/kft+a");
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_int_equal(kft_run_refresh(&r, &plan, &e), -ENOENT);
	assert_non_null(strstr(e.msg, "another program removed"));
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

/* Keeps the run that is there now. */
static int keep(const struct fake *f, const struct kft_run_counter *counter,
		int cancel_fd)
{
	struct kft_run r;

	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	_cleanup_close_ int dir_fd = kft_rundir_remember(&r.dir);
	kft_run_close(&r);
	return kft_run_retention(f->host, "a", dir_fd, &plan, counter, cancel_fd, NULL);
}

/* Both times have passed when the keeper looks for the first time. */
static void a_keeper_starts_and_stops_by_time(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	plan.start = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME};
	plan.stop = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME, .time_ns = 1};
	load(f, &r);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	kft_run_close(&r);
	assert_int_equal(keep(f, NULL, -1), 1);
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_int_equal(r.rec.started, KFT_CAUSE_TIME);
	assert_int_equal(r.rec.stopped, KFT_CAUSE_TIME);
	assert_true(r.rec.stop_ns >= r.rec.start_ns + 1);
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

static void a_keeper_leaves_a_later_run_of_that_name_alone(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	plan.start = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME};
	load(f, &r);
	_cleanup_close_ int dir_fd = kft_rundir_remember(&r.dir);
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
	assert_int_equal(kft_run_retention(f->host, "a", dir_fd, &plan, NULL, -1, NULL),
			 -ENOENT);
	load(f, &r);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	kft_run_close(&r);
	assert_int_equal(kft_run_retention(f->host, "a", dir_fd, &plan, NULL, -1, NULL),
			 -ENOENT);
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	assert_int_equal(r.rec.started, KFT_CAUSE_NONE);
	kft_run_close(&r);
}

/* The refresh comes late: the time of the first event shows when the trigger fired. */
static void a_missed_start_is_not_now(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	trigger(&plan.start, KFT_TRIGGER_ENTRY);
	plan.stop = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME, .time_ns = 2000};
	load(f, &r);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	fire(f, KFT_PROBE_START, true);
	fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"),
		   "entries: 5\noldest event ts:  0.000005\n");
	fake_write(f, fake_graph_path("a", "per_cpu/cpu1/stats"),
		   "entries: 0\noldest event ts:  0.000000\n");
	assert_int_equal(kft_run_tend(&r, &plan, NULL), 0);
	assert_int_equal(r.rec.start_ns, 5500);
	assert_true(kft_state_is_complete(r.rec.state));
	assert_int_equal(r.rec.stopped, KFT_CAUSE_TIME);
	assert_int_equal(r.rec.stop_ns, 7500);
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

static int count_enough(void *arg, struct kft_run *r, const struct kft_plan *p,
			struct kft_err *e)
{
	*(int *)arg += 1;
	return kft_run_counted(r, p, 3, 3, e);
}

static void a_keeper_has_the_calls_counted(void **state)
{
	int counted = 0;
	const struct kft_run_counter counter = {.count = count_enough, .arg = &counted};
	struct fake *f = *state;
	struct kft_run r;

	plan.functions.max_calls = 3;
	plan.functions.max_ns = 5;
	load(f, &r);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
	kft_run_close(&r);
	fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"), "entries: 3\n");
	assert_int_equal(keep(f, &counter, -1), 1);
	assert_int_equal(counted, 1);
}

static void buffers_grow_until_they_hold_the_time(void **state)
{
	static const char too_short[] =
		"entries: 9\noverrun: 5\nbytes: 60000\noldest event ts: 10.0\nnow ts: 12.5\n";
	static const char *const enough[] = {
		/* Nothing was overwritten; not full since it grew; it reaches back far enough. */
		"entries: 9\noverrun: 0\nbytes: 60000\noldest event ts: 10.0\nnow ts: 12.5\n",
		"entries: 9\noverrun: 5\nbytes: 30000\noldest event ts: 10.0\nnow ts: 12.5\n",
		"entries: 9\noverrun: 5\nbytes: 60000\noldest event ts: 10.0\nnow ts: 13.5\n",
	};
	const struct kft_run_options keep = {
		.is_recording = true, .overwrite = true, .keep_ns = 3000000000};
	struct fake *f = *state;
	struct kft_run r;

	plan = (struct kft_plan){.overwrite = true, .buffer_bytes = 64 << 10};
	assert_int_equal(kft_plan_add_event(&plan, "sched", NULL, NULL), 0);
	assert_int_equal(kft_run_load(f->host, "a", "kft flight", 10, &keep, &r, NULL),
			 0);
	assert_int_equal(kft_run_start(&r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
	fake_write(f, fake_graph_path("a", "buffer_size_kb"), "64\n");
	for (size_t i = 0; i < ARRAY_SIZE(enough); i++) {
		fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"), enough[i]);
		assert_int_equal(kft_run_tend(&r, &plan, NULL), 0);
		assert_string_equal(fake_read(f, fake_graph_path("a", "buffer_size_kb")),
				    "64\n");
	}
	fake_write(f, fake_graph_path("a", "per_cpu/cpu0/stats"), too_short);
	assert_int_equal(kft_run_tend(&r, &plan, NULL), 0);
	assert_string_equal(fake_read(f, fake_graph_path("a", "buffer_size_kb")), "128");
	/* The buffer does not grow without limit. */
	fake_write(f, fake_graph_path("a", "buffer_size_kb"), "200000\n");
	fake_write(
		f, fake_graph_path("a", "per_cpu/cpu0/stats"),
		"entries: 9\noverrun: 5\nbytes: 204000000\noldest event ts: 10.0\nnow ts: 12.5\n");
	assert_int_equal(kft_run_tend(&r, &plan, NULL), 0);
	assert_string_equal(fake_read(f, fake_graph_path("a", "buffer_size_kb")),
			    "200000\n");
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
}

static void a_keeper_can_be_called_off(void **state)
{
	struct fake *f = *state;
	struct kft_run r;
	int fds[2];

	load(f, &r);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	kft_run_close(&r);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "x", 1), 1);
	assert_int_equal(keep(f, NULL, fds[0]), 0);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

#define WITH_RUN(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

static const struct CMUnitTest tests[] = {
	WITH_RUN(a_run_that_is_not_understood_can_be_reset),
	WITH_RUN(steps_that_do_not_fit_are_refused),
	WITH_RUN(a_reboot_is_told_from_a_removed_instance),
	WITH_RUN(a_session_without_a_boot_id_works),
	WITH_RUN(events_are_recorded_beside_calls),
	WITH_RUN(what_is_taken_knows_its_events),
	WITH_RUN(a_pause_is_marked_and_ends_with_the_resume),
	WITH_RUN(starting_needs_no_priming),
	WITH_RUN(another_process_goes_on),
	WITH_RUN(a_full_buffer_and_a_stranger_end_a_run),
	WITH_RUN(what_others_do_to_a_run_is_noticed),
	WITH_RUN(logentries_end_a_run),
	WITH_RUN(a_recording_ends_at_its_limit),
	WITH_RUN(calls_are_counted_when_there_may_be_enough),
	WITH_RUN(autorepeat_waits_again),
	WITH_RUN(runs_are_counted),
	WITH_RUN(a_failed_step_is_taken_back),
	WITH_RUN(a_removed_instance_is_told),
	WITH_RUN(a_keeper_starts_and_stops_by_time),
	WITH_RUN(a_keeper_leaves_a_later_run_of_that_name_alone),
	WITH_RUN(a_missed_start_is_not_now),
	WITH_RUN(a_keeper_has_the_calls_counted),
	WITH_RUN(buffers_grow_until_they_hold_the_time),
	WITH_RUN(a_keeper_can_be_called_off),
};

T_MAIN(tests)
