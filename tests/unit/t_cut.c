// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "analysis/cut/cut.h"
#include "decode/ring.h"
#include "decode/task_names.h"
#include "fake_trace.h"

/* Formats of Linux 6.1. */
static const char *const formats[][2] = {
	{"ftrace", FUNCGRAPH_EXIT_FORMAT},
	{"ftrace", FUNCGRAPH_ENTRY_FORMAT},
	{"ftrace", PRINT_FORMAT},
	{"kft_g", FORMAT("start", "500", LONG_FIELD("__probe_ip", "8"))},
	{"kft_g",
	 FORMAT("stop", "501",
		LONG_FIELD("__probe_func", "8") LONG_FIELD("__probe_ret_ip", "16"))},
};

struct graph_record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	uint64_t func;
	int32_t depth;
	uint32_t overrun;
	uint64_t calltime;
	uint64_t rettime;
};

/* One CPU's records; more are added as streams. */
struct cpu_trace {
	struct fake_stream *stream;
	union {
		struct graph_record graph;
		struct {
			struct fake_record head; /* a and b: the halves of ip */
			char text[64];
		} print;
	} records[64];
};

static struct kft_trace *trace;
static struct cpu_trace cpus[2];
static struct kft_plan plan;
static struct kft_cut_opts run;

static int setup(void **state)
{
	trace = fake_trace_of(formats, ARRAY_SIZE(formats));
	trace->meta.long_size = 8;
	trace->meta.page_size = 4096;
	trace->meta.cpu_count = 2;
	for (uint32_t i = 0; i < 2; i++)
		cpus[i] = (struct cpu_trace){.stream = fake_add_stream(trace, 0, i)};
	plan = (struct kft_plan){};
	run = (struct kft_cut_opts){
		.plan = &plan, .started = KFT_CAUSE_TRIGGER, .probe_group = "kft_g"};
	return 0;
}

static int teardown(void **state)
{
	kft_plan_finish(&plan);
	trace = kft_trace_destroy(trace);
	return 0;
}

static struct graph_record *add(uint32_t cpu, uint64_t ts, uint16_t id, int32_t pid,
				uint64_t func)
{
	struct fake_stream *f = cpus[cpu].stream;
	struct graph_record *r = &cpus[cpu].records[f->len].graph;

	assert_true(f->len < ARRAY_SIZE(cpus[cpu].records));
	*r = (struct graph_record){.type = id, .pid = pid, .func = func};
	f->evs[f->len++] = (struct kft_event){.ts = ts,
					      .data = (const uint8_t *)r,
					      .size = sizeof(*r),
					      .cpu = cpu,
					      .id = id};
	return r;
}

/* The clock of durations is another one than that of the records. */
static struct graph_record *add_exit(uint32_t cpu, uint64_t ts, int32_t pid,
				     uint64_t func, uint64_t duration)
{
	struct graph_record *r = add(cpu, ts, 10, pid, func);

	r->calltime = 77000 + ts - duration;
	r->rettime = 77000 + ts;
	return r;
}

static void add_print(uint32_t cpu, uint64_t ts, const char *text)
{
	struct fake_stream *f = cpus[cpu].stream;

	(void)add(cpu, ts, 5, 1, 0);
	strcpy(cpus[cpu].records[f->len - 1].print.text, text);
}

/* One letter for each event in time order, as the enum has them. */
static void assert_verdicts(const char *letters)
{
	static const char all[] = "CLEom.eslintbh";
	struct kft_cut cut;
	char got[160] = "";

	assert_int_equal(kft_cut_decide(trace, &run, &cut, NULL), 0);
	for (size_t i = 0; i < cut.verdicts.len; i++)
		got[i] = all[cut.verdicts.data[i]];
	assert_string_equal(got, letters);
	kft_cut_finish(&cut);
}

static void trigger(struct kft_plan_trigger *t, enum kft_trigger_kind kind)
{
	assert_int_equal(kft_plan_trigger_set_function(t, kind, "f", NULL), 0);
}

/* Recording is on a little longer than from the start to the stop. */
static void only_calls_between_start_and_stop(void **state)
{
	trigger(&plan.start, KFT_TRIGGER_ENTRY);
	trigger(&plan.stop, KFT_TRIGGER_EXIT);
	add(0, 100, 500, 7, 0x1004);
	add_exit(0, 110, 7, 0x9000, 20); /* entered before */
	add_exit(1, 120, 8, 0x9000, 5);
	add_exit(0, 130, 7, 0x2000, 10);
	add_exit(1, 140, 8, 0x1000, 60); /* the function, but of another task */
	add_exit(0, 150, 7, 0x1000, 55); /* the call that started it */
	add_exit(1, 160, 8, 0x9000, 5); /* before the stop was noticed */
	add(0, 170, 501, 7, 0x1000);
	add_exit(1, 180, 8, 0x9000, 5);
	assert_verdicts("meCCeC.m.");
}

/* The calls return before recording is off, even the one that started the run. */
static void calls_under_way_at_the_stop_are_kept(void **state)
{
	trigger(&plan.start, KFT_TRIGGER_ENTRY);
	plan.stop = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME, .time_ns = 50};
	plan.functions.max_ns = 70;
	add(0, 100, 500, 7, 0x1004);
	add(0, 110, 11, 8, 0x3000);
	add(0, 150, 11, 8, 0x4000)->depth = 1;
	add(0, 151, 11, 8, 0x5000)->depth = 2;
	add_exit(0, 155, 8, 0x5000, 4)->depth = 2;
	add_exit(0, 158, 8, 0x4000, 8)->depth = 1;
	add_exit(0, 159, 8, 0x3000, 49);
	add_exit(0, 160, 7, 0x1000, 62); /* the call that started it */
	add_exit(0, 170, 7, 0x1000, 90); /* the same function was open already */
	add_exit(0, 180, 9, 0x2000, 71); /* longer than maxtime */
	assert_verdicts("mEE..LLL.l");
}

/* Calls of other tasks are kept too if they return before the stop is noticed. */
static void calls_under_way_at_a_return_are_kept(void **state)
{
	trigger(&plan.stop, KFT_TRIGGER_EXIT);
	add_print(0, 1, "kft: start user 1");
	add(1, 90, 11, 8, 0x3000);
	add_exit(0, 100, 7, 0x1000, 55);
	add(1, 101, 11, 8, 0x4000)->depth = 1;
	add_exit(1, 102, 8, 0x4000, 1)->depth = 1;
	add_exit(1, 103, 8, 0x3000, 13);
	add(0, 110, 501, 7, 0x1000);
	assert_verdicts("mEC..Lm");
}

/* A row for each call, in the order of their entries, whenever they end. */
static void a_full_log_has_the_calls_entered_first(void **state)
{
	plan.functions.max_calls = 3;
	add_print(0, 1, "kft: start user 1");
	add(0, 10, 11, 9, 0x5000); /* does not return */
	add_exit(0, 20, 7, 0x2000, 5);
	add(0, 22, 11, 7, 0x2000); /* no room for it any more */
	add_exit(0, 25, 7, 0x2000, 3);
	add_exit(0, 30, 8, 0x3000, 18);
	assert_verdicts("moChbL");
}

/* An interrupt and the kernel's own calls lie between the return and the stop's record. */
static void a_stop_is_at_the_return_that_fired_it(void **state)
{
	trigger(&plan.start, KFT_TRIGGER_ENTRY);
	trigger(&plan.stop, KFT_TRIGGER_EXIT);
	add(0, 100, 500, 7, 0x1004);
	add_exit(0, 120, 7, 0x1000, 10); /* within the call that started it */
	add_exit(0, 130, 7, 0x9000, 5);
	add_exit(0, 150, 7, 0x1000, 55);
	add_exit(0, 151, 7, 0x9000, 0);
	for (int i = 0; i < 20; i++)
		add_exit(0, 152, 7, 0xa000, 0);
	add(0, 160, 501, 7, 0x1000);
	assert_verdicts("mCCC.....................m");
}

/* A call of the function within the one that triggers does not take its place. */
static void the_innermost_call_triggers(void **state)
{
	trigger(&plan.start, KFT_TRIGGER_ENTRY);
	add(0, 100, 500, 7, 0x1000);
	add_exit(0, 130, 7, 0x1000, 10);
	add_exit(0, 150, 7, 0x1000, 51);
	add_exit(0, 160, 7, 0x1000, 90); /* the same function was open already */
	assert_verdicts("mCCe");
}

static void a_stop_time_counts_from_the_start(void **state)
{
	trigger(&plan.start, KFT_TRIGGER_EXIT);
	plan.stop = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME, .time_ns = 50};
	add(0, 100, 500, 7, 0x1000);
	add_exit(0, 149, 7, 0x2000, 9);
	add_exit(0, 150, 7, 0x2000, 9);
	add_exit(0, 151, 7, 0x2000, 9);
	add(0, 160, 500, 7, 0x1000);
	add_exit(0, 170, 7, 0x2000, 9);
	add_print(0, 180, "kft: stop time 150");
	assert_verdicts("mCCL..m");
}

static void marks_of_users_and_times_are_exact(void **state)
{
	add_exit(0, 90, 7, 0x2000, 1);
	add_print(0, 100, "kft: start time 120");
	add_print(0, 105, "something else");
	add_exit(0, 119, 7, 0x2000, 1);
	add_exit(0, 125, 7, 0x2000, 10);
	add_exit(0, 131, 7, 0x2000, 10);
	add_print(0, 140, "kft: stop user 140");
	add_print(0, 145, "something else");
	assert_verdicts(".mm.eCm.");
}

/* Between the command and the record of it time passes. */
static void a_start_is_not_before_its_record(void **state)
{
	plan.stop = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME, .time_ns = 50};
	add_print(0, 200, "kft: start user 100");
	add_exit(0, 210, 7, 0x2000, 20);
	add_exit(0, 250, 7, 0x2000, 20);
	add_exit(0, 251, 7, 0x2000, 20);
	assert_verdicts("meCL");
}

static void durations(void **state)
{
	plan.functions.min_ns = 10;
	plan.functions.max_ns = 20;
	add_print(0, 1, "kft: start user 1");
	add_exit(0, 100, 7, 0x2000, 9);
	add_exit(0, 110, 7, 0x2000, 10);
	add_exit(0, 120, 7, 0x2000, 20);
	add_exit(0, 130, 7, 0x2000, 21);
	assert_verdicts("msCCl");
}

static void contexts(void **state)
{
	static const uint8_t flags[] = {0, 1, 0x08, 0x10, 0x40};

	plan.functions.context = KFT_CONTEXT_TASK;
	add_print(0, 1, "kft: start user 1");
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		add_exit(0, 100 + i, 7, 0x2000, 1)->flags = flags[i];
	assert_verdicts("mCCiii");
	plan.functions.context = KFT_CONTEXT_INTERRUPT;
	assert_verdicts("mnnCCC");
}

/* The function that runs softirqs is recorded in the context of the interrupted code. */
static void edges_of_interrupts(void **state)
{
	const struct kft_symbol softirqs = {
		.addr = 0x3000, .name = "handle_softirqs", .name_len = 15};
	const struct kft_symbol other = {.addr = 0x3010, .name = "other", .name_len = 5};

	assert_int_equal(kft_symbol_table_add(&trace->symbols, &softirqs), 0);
	assert_int_equal(kft_symbol_table_add(&trace->symbols, &other), 0);
	kft_symbol_table_sort(&trace->symbols);
	trace->have_symbols = true;
	plan.functions.context = KFT_CONTEXT_TASK;
	add_print(0, 1, "kft: start user 1");
	add_exit(0, 100, 7, 0x3004, 1);
	add_exit(0, 101, 7, 0x2ff0, 1);
	add_exit(0, 102, 7, 0x3010, 1);
	assert_verdicts("miCC");
}

static void calls_that_are_too_deep(void **state)
{
	struct kft_cut cut;
	add_exit(0, 50, 7, 0x2000, 1)->overrun = 10;
	add_print(0, 60, "kft: start user 60");
	add_exit(0, 100, 7, 0x2000, 1)->overrun = 10;
	add_exit(0, 101, 7, 0x2000, 1)->overrun = 160;
	add_exit(0, 102, 7, 0x2000, 1)->overrun = 160;
	assert_int_equal(kft_cut_decide(trace, &run, &cut, NULL), 0);
	assert_int_equal(cut.too_deep, 150);
	kft_cut_finish(&cut);
}

static void tasks(void **state)
{
	assert_int_equal(kft_task_set_comm(&trace->tasks, 7, "cat", 3), 0);
	assert_int_equal(kft_task_set_comm(&trace->tasks, 8, "dd", 2), 0);
	trace->have_tasks = true;
	add_print(0, 1, "kft: start user 1");
	add_exit(0, 100, 7, 0x2000, 1);
	add_exit(0, 101, 8, 0x2000, 1);
	assert_int_equal(kft_plan_add_comm(&plan, "c*", NULL), 0);
	assert_verdicts("mCt");
	assert_int_equal(kft_plan_add_pid(&plan, 8, NULL), 0);
	assert_verdicts("mtt");
	/* The kernel has done it, and knew of threads and children. */
	run.tasks_filtered = true;
	assert_verdicts("mCt");
}

static void tasks_have_the_name_that_they_had_then(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf names = {};

	kft_task_name_encode(&names,
			     &(struct kft_task_name){.ts = 0, .pid = 7, .comm = "sh"});
	kft_task_name_encode(&names,
			     &(struct kft_task_name){.ts = 150, .pid = 7, .comm = "cat"});
	assert_int_equal(kft_task_names_parse(names.buf, names.len, &trace->tasks), 0);
	trace->have_tasks = true;
	add_print(0, 1, "kft: start user 1");
	add_exit(0, 100, 7, 0x2000, 1);
	add_exit(0, 200, 7, 0x2000, 1);
	assert_int_equal(kft_plan_add_comm(&plan, "sh", NULL), 0);
	assert_verdicts("mCt");
}

/* Entries go with their calls, also when the task moves to another CPU. */
static void entries_go_with_their_exits(void **state)
{
	plan.functions.min_ns = 10;
	add(0, 5, 11, 9, 0x3000)->depth = 0;
	add_print(0, 10, "kft: start user 10");
	add(0, 20, 11, 7, 0x2000)->depth = 1;
	add(0, 21, 11, 8, 0x2000)->depth = 1;
	add(0, 22, 11, 7, 0x3000)->depth = 2;
	add_exit(0, 25, 7, 0x3000, 3)->depth = 2;
	add_exit(1, 40, 7, 0x2000, 20)->depth = 1;
	add_exit(1, 41, 9, 0x3000, 36)->depth = 0;
	add(0, 50, 11, 8, 0x3000)->depth = 2;
	assert_verdicts(".mEohsCeo");
}

static void logentries_end_the_run(void **state)
{
	plan.functions.max_calls = 2;
	add_print(0, 1, "kft: start user 1");
	for (uint64_t i = 0; i < 4; i++)
		add_exit(0, 10 + i, 7, 0x2000, 1);
	add_print(0, 20, "kft: start user 20");
	add_exit(0, 30, 7, 0x2000, 1);
	assert_verdicts("mCLbbmb");
	plan.overwrite = true;
	plan.autorepeat = true;
	assert_verdicts("mbbbCmC");
}

/* A call that returns before its caller was entered after it. */
static void overwrite_keeps_the_calls_entered_last(void **state)
{
	plan.functions.max_calls = 3;
	plan.overwrite = true;
	add_print(0, 1, "kft: start user 1");
	add(0, 10, 11, 7, 0x2000);
	add(0, 20, 11, 7, 0x3000)->depth = 1;
	add_exit(0, 25, 7, 0x3000, 5)->depth = 1;
	add(0, 30, 11, 7, 0x4000)->depth = 1;
	add_exit(0, 35, 7, 0x4000, 5)->depth = 1;
	add_exit(0, 90, 7, 0x2000, 80); /* returns after its children */
	add(1, 91, 11, 9, 0x5000); /* does not return */
	assert_verdicts("mbECECbo");
}

/* The exit is recorded late, so that the caller seems to be entered after the other. */
static void overwrite_goes_by_the_records_of_entries(void **state)
{
	plan.functions.max_calls = 1;
	plan.overwrite = true;
	add_print(0, 1, "kft: start user 1");
	add(0, 10, 11, 7, 0x2000);
	add(0, 20, 11, 7, 0x3000)->depth = 1;
	add_exit(0, 25, 7, 0x3000, 5)->depth = 1;
	add_exit(0, 90, 7, 0x2000, 50);
	assert_verdicts("mbECb");
}

static void autorepeat_starts_again(void **state)
{
	trigger(&plan.start, KFT_TRIGGER_ENTRY);
	trigger(&plan.stop, KFT_TRIGGER_EXIT);
	for (int round = 0; round < 2; round++) {
		uint64_t t = 100 + 100 * (uint64_t)round;

		add(0, t, 500, 7, 0x1000);
		add_exit(0, t + 50, 7, 0x1000, 50);
		add(0, t + 51, 501, 7, 0x1000);
		add_exit(0, t + 60, 7, 0x2000, 1);
	}
	assert_verdicts("mCm.....");
	plan.autorepeat = true;
	assert_verdicts("mCm.mCm.");
}

/* The function was called again between the stop time and when recording went off. */
static void a_start_before_the_pause_ends_with_it(void **state)
{
	struct kft_cut cut;

	trigger(&plan.start, KFT_TRIGGER_ENTRY);
	plan.stop = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME, .time_ns = 50};
	plan.autorepeat = true;
	add(0, 100, 500, 7, 0x1000);
	add(0, 160, 500, 7, 0x1000);
	add_exit(0, 170, 7, 0x2000, 5);
	add_print(0, 180, "kft: stop time 150");
	add_exit(0, 190, 7, 0x2000, 5);
	assert_int_equal(kft_cut_decide(trace, &run, &cut, NULL), 0);
	assert_int_equal(cut.counts[KFT_VERDICT_CALL], 1);
	assert_int_equal(cut.windows.len, 2);
	assert_int_equal(cut.windows.data[0].stop_ns, 150);
	assert_int_equal(cut.windows.data[1].start_ns, 160);
	assert_int_equal(cut.windows.data[1].stop_ns, 180);
	kft_cut_finish(&cut);
}

/* A pause does not move the end of the run. */
static void a_pause_is_a_gap_in_the_run(void **state)
{
	struct kft_cut cut;

	plan.stop = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME, .time_ns = 100};
	add_print(0, 10, "kft: start user 10");
	add_exit(0, 20, 7, 0x2000, 5);
	add_print(0, 30, "kft: pause user 29");
	add_exit(0, 40, 7, 0x2000, 5); /* recorded before recording was off */
	add_print(0, 60, "kft: resume user 61");
	add_exit(0, 70, 7, 0x2000, 5);
	add_exit(0, 120, 7, 0x2000, 5);
	assert_int_equal(kft_cut_decide(trace, &run, &cut, NULL), 0);
	assert_int_equal(cut.counts[KFT_VERDICT_MARK], 3);
	assert_int_equal(cut.counts[KFT_VERDICT_CALL], 2);
	assert_int_equal(cut.counts[KFT_VERDICT_OUTSIDE], 2);
	assert_int_equal(cut.windows.len, 2);
	assert_int_equal(cut.windows.data[0].stop_ns, 30);
	assert_int_equal(cut.windows.data[0].stopped, KFT_CAUSE_USER);
	assert_int_equal(cut.windows.data[1].start_ns, 60);
	assert_int_equal(cut.windows.data[1].stop_ns, 110);
	assert_int_equal(cut.windows.data[1].stopped, KFT_CAUSE_TIME);
	kft_cut_finish(&cut);
}

/* The buffer of CPU 0 was full after its last record. */
static void a_full_buffer_ends_the_run_for_all(void **state)
{
	struct kft_cpu_stat stat = {.cpu = 0, .dropped_events = 5};

	run.stopped = KFT_CAUSE_FULL;
	assert_true(kft_vec_push(&trace->meta.stats, stat));
	add_print(0, 1, "kft: start user 1");
	add_exit(0, 10, 7, 0x2000, 1);
	add_exit(1, 11, 8, 0x2000, 1);
	add_exit(0, 12, 7, 0x2000, 1);
	add_exit(1, 13, 8, 0x2000, 1);
	assert_verdicts("mCCCL");
}

/* The kernel has given out more than there is. */
static void what_another_reader_took_is_counted(void **state)
{
	static const uint64_t read_events[] = {7, 1};
	struct kft_cut cut;

	for (uint32_t i = 0; i < 2; i++) {
		struct kft_cpu_stat stat = {.cpu = i, .read_events = read_events[i]};

		assert_true(kft_vec_push(&trace->meta.stats, stat));
	}
	add_exit(0, 10, 7, 0x2000, 1);
	add_exit(0, 12, 7, 0x2000, 1);
	add_exit(1, 13, 7, 0x2000, 1);
	assert_int_equal(kft_cut_decide(trace, &run, &cut, NULL), 0);
	assert_int_equal(cut.taken, 5);
	kft_cut_finish(&cut);
}

static void an_overwritten_start_is_the_first_record(void **state)
{
	add_exit(0, 10, 7, 0x2000, 1);
	add_exit(0, 12, 7, 0x2000, 1);
	run.started = KFT_CAUSE_NONE;
	assert_verdicts("..");
	run.started = KFT_CAUSE_TRIGGER;
	plan.overwrite = true;
	assert_verdicts("eC");
}

/* Calls under way at the first record that is left were entered in the run. */
static void an_overwritten_start_was_when_it_was_noted(void **state)
{
	plan.overwrite = true;
	run.started = KFT_CAUSE_USER;
	run.start_ns = 5;
	add_exit(0, 10, 7, 0x2000, 4);
	add_exit(0, 12, 7, 0x2000, 9);
	assert_verdicts("Ce");
	/* A time is waited for with recording on. */
	run.started = KFT_CAUSE_TIME;
	run.start_ns = 11;
	assert_verdicts(".e");
}

static void what_is_left_of_an_emptied_buffer_is_kept(void **state)
{
	struct kft_cut cut;

	add_exit(0, 10, 7, 0x2000, 1);
	add_exit(0, 12, 7, 0x2000, 1);
	add_print(0, 14, "kft: stop user 14");
	assert_verdicts("eCm");
	assert_int_equal(kft_cut_decide(trace, &run, &cut, NULL), 0);
	assert_true(cut.start_missing);
	kft_cut_finish(&cut);
}

/* A sink for the records that are kept: they are read back from the written pages. */
struct memory_sink {
	struct kft_sink sink;
	int fds[2];
	int begun;
	int ended;
	int fail;
	size_t kallsyms_len; /* that the metadata had at the begin */
	size_t n_lost; /* ranges that it had in the end */
	struct kft_lost_range lost; /* the first of them */
};

static int sink_begin(struct kft_sink *s, const struct kft_meta *m, struct kft_err *e)
{
	struct memory_sink *sink = container_of(s, struct memory_sink, sink);

	sink->begun++;
	sink->kallsyms_len = m->kallsyms.len;
	return 0;
}

static int sink_cpu_fd(struct kft_sink *s, uint32_t cpu, int *ret_fd, struct kft_err *e)
{
	struct memory_sink *m = container_of(s, struct memory_sink, sink);

	if (m->fail)
		return kft_err_set(e, m->fail, "no room");
	*ret_fd = m->fds[cpu];
	return 0;
}

static int sink_end(struct kft_sink *s, const struct kft_meta *m, struct kft_err *e)
{
	struct memory_sink *sink = container_of(s, struct memory_sink, sink);

	sink->ended++;
	sink->n_lost = m->lost.len;
	if (m->lost.len)
		sink->lost = m->lost.data[0];
	return 0;
}

static const struct kft_sink_ops sink_ops = {
	.begin = sink_begin, .cpu_fd = sink_cpu_fd, .end = sink_end};

static void assert_pages(int fd, const char *expected)
{
	struct kft_ring_layout l = kft_ring_layout_default(false, 8);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	uint8_t page[4096];
	struct kft_ring_page p;
	const uint8_t *data;
	uint32_t size;

	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	while (read(fd, page, sizeof(page)) == sizeof(page)) {
		assert_int_equal(kft_ring_page_open(&l, page, sizeof(page), &p), 0);
		kft_strbuf_addf(&sb, "[%lld]", (long long)p.lost);
		while (kft_ring_next(&p, false, &data, &size) > 0)
			kft_strbuf_addf(&sb, " %llu", (unsigned long long)p.ts);
	}
	assert_string_equal(kft_strbuf_cstr(&sb), expected);
}

static void load_kallsyms(struct kft_trace *t)
{
	static const char text[] = "2000 T f\n";

	t->meta.kallsyms = (struct kft_blob){text, sizeof(text) - 1};
}

static void what_is_kept_is_written(void **state)
{
	struct memory_sink m = {.sink = {.ops = &sink_ops}};
	struct kft_cut cut;
	struct kft_err e = {};
	FILE *files[2] = {tmpfile(), tmpfile()};

	for (int i = 0; i < 2; i++)
		m.fds[i] = fileno(files[i]);
	plan.functions.min_ns = 10;
	trace->load_kallsyms = load_kallsyms;
	add_print(0, 1, "kft: start user 1");
	add_exit(0, 100, 7, 0x2000, 9);
	add_exit(0, 110, 7, 0x2000, 10);
	add_exit(1, 111, 7, 0x2000, 9);
	add_exit(0, 112, 7, 0x2000, 9);
	cpus[0].stream->evs[3].lost_before = 4;
	add_exit(0, 120, 7, 0x2000, 10);
	assert_int_equal(kft_cut_decide(trace, &run, &cut, NULL), 0);
	assert_int_equal(cut.counts[KFT_VERDICT_CALL], 2);
	assert_int_equal(cut.counts[KFT_VERDICT_SHORT], 3);
	assert_int_equal(kft_cut_write(trace, &cut, &m.sink, NULL), 0);
	assert_int_equal(m.begun, 1);
	assert_int_equal(m.ended, 1);
	/* Symbols are copied although they were not used yet. */
	assert_int_equal(m.kallsyms_len, strlen("2000 T f\n"));
	/* A loss before a record that was left out comes before the next one. */
	assert_pages(m.fds[0], "[0] 1 110[4] 120");
	assert_pages(m.fds[1], "");
	m.fail = -ENOSPC;
	assert_int_equal(kft_cut_write(trace, &cut, &m.sink, &e), -ENOSPC);
	assert_string_equal(e.msg, "no room");
	assert_int_equal(m.ended, 1);
	kft_cut_finish(&cut);
	for (int i = 0; i < 2; i++)
		assert_int_equal(fclose(files[i]), 0);
}

/* A reader makes marks of the ranges in the metadata: both would count them twice. */
static void losses_are_written_once(void **state)
{
	const struct kft_lost_range range = {
		.cpu = 0, .since = 101, .until = 105, .count = 4};
	struct memory_sink m = {.sink = {.ops = &sink_ops}};
	FILE *file = tmpfile();
	struct kft_cut cut;

	m.fds[0] = fileno(file);
	m.fds[1] = -1;
	assert_true(kft_vec_push(&trace->meta.lost, range));
	add_print(0, 1, "kft: start user 1");
	add_exit(0, 110, 7, 0x2000, 10);
	cpus[0].stream->evs[1].lost_before = range.count;
	cpus[1].stream->s.lost_after = 3;
	assert_int_equal(kft_cut_decide(trace, &run, &cut, NULL), 0);
	assert_int_equal(kft_cut_write(trace, &cut, &m.sink, NULL), 0);
	assert_pages(m.fds[0], "[0] 1[4] 110");
	/* A loss that no event follows is recorded only here. */
	assert_int_equal(m.n_lost, 1);
	assert_int_equal(m.lost.cpu, 1);
	assert_int_equal(m.lost.count, 3);
	kft_cut_finish(&cut);
	assert_int_equal(fclose(file), 0);
}

/* If the caller gives the window, probes and markers are records like all others. */
static void a_given_window_is_taken(void **state)
{
	const struct kft_cut_window window = {
		.start_ns = 100, .stop_ns = 150, .stopped = KFT_CAUSE_TRIGGER};

	run.window = &window;
	run.probe_group = NULL;
	add(0, 90, 11, 7, 0x2000);
	add(0, 95, 501, 7, 0x1000);
	add_exit(0, 110, 7, 0x3000, 20);
	add_exit(0, 120, 7, 0x4000, 20);
	add(0, 130, 11, 7, 0x2000);
	add(0, 140, 500, 7, 0x1000);
	add_print(0, 145, "kft: stop user 140");
	add_exit(0, 150, 7, 0x2000, 10);
	add_exit(0, 151, 7, 0x2000, 10);
	assert_verdicts("..eCEmmCL");
}

/* Recording is off before its start and behind its stop: all that there is belongs to it. */
static void triggers_at_events_leave_no_record(void **state)
{
	struct kft_cut cut;

	assert_int_equal(kft_plan_trigger_set_event(&plan.start, "a:b", NULL, NULL), 0);
	assert_int_equal(kft_plan_trigger_set_event(&plan.stop, "a:c", "x == 1", NULL),
			 0);
	run.start_ns = 150;
	run.stopped = KFT_CAUSE_TRIGGER;
	(void)add(0, 100, 11, 1, 0x1000);
	/* Its record is a little later than the entry. */
	(void)add_exit(0, 200, 1, 0x1000, 103);
	(void)add(0, 300, 11, 1, 0x2000);
	assert_int_equal(kft_cut_decide(trace, &run, &cut, NULL), 0);
	assert_int_equal(cut.windows.len, 1);
	assert_int_equal(cut.windows.data[0].start_ns, 100);
	assert_int_equal(cut.windows.data[0].stop_ns, 300);
	assert_int_equal(cut.windows.data[0].stopped, KFT_CAUSE_TRIGGER);
	kft_cut_finish(&cut);
	assert_verdicts("ECo");
}

#define WITH_TRACE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

static const struct CMUnitTest tests[] = {
	WITH_TRACE(triggers_at_events_leave_no_record),
	WITH_TRACE(only_calls_between_start_and_stop),
	WITH_TRACE(calls_under_way_at_the_stop_are_kept),
	WITH_TRACE(calls_under_way_at_a_return_are_kept),
	WITH_TRACE(a_full_log_has_the_calls_entered_first),
	WITH_TRACE(a_stop_is_at_the_return_that_fired_it),
	WITH_TRACE(the_innermost_call_triggers),
	WITH_TRACE(a_stop_time_counts_from_the_start),
	WITH_TRACE(marks_of_users_and_times_are_exact),
	WITH_TRACE(a_start_is_not_before_its_record),
	WITH_TRACE(durations),
	WITH_TRACE(contexts),
	WITH_TRACE(calls_that_are_too_deep),
	WITH_TRACE(edges_of_interrupts),
	WITH_TRACE(tasks),
	WITH_TRACE(tasks_have_the_name_that_they_had_then),
	WITH_TRACE(entries_go_with_their_exits),
	WITH_TRACE(logentries_end_the_run),
	WITH_TRACE(overwrite_keeps_the_calls_entered_last),
	WITH_TRACE(overwrite_goes_by_the_records_of_entries),
	WITH_TRACE(autorepeat_starts_again),
	WITH_TRACE(a_pause_is_a_gap_in_the_run),
	WITH_TRACE(a_start_before_the_pause_ends_with_it),
	WITH_TRACE(a_full_buffer_ends_the_run_for_all),
	WITH_TRACE(what_is_left_of_an_emptied_buffer_is_kept),
	WITH_TRACE(what_another_reader_took_is_counted),
	WITH_TRACE(an_overwritten_start_is_the_first_record),
	WITH_TRACE(an_overwritten_start_was_when_it_was_noted),
	WITH_TRACE(a_given_window_is_taken),
	WITH_TRACE(what_is_kept_is_written),
	WITH_TRACE(losses_are_written_once),
};

T_MAIN(tests)
