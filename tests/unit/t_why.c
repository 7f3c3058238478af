// SPDX-License-Identifier: GPL-2.0-only
/* Explanations of a task's time, in traces made by hand. */
#include "derive/kinds/kinds.h"
#include "t.h"

#include <inttypes.h>

#include "analysis/wall.h"
#include "analysis/why/command.h"
#include "analysis/why/recorder.h"
#include "analysis/why/find.h"
#include "analysis/why/why.h"
#include "fake_trace.h"

#define MS UINT64_C(1000000)

enum {
	SWITCH = 1,
	WAKING,
	WAKEUP,
	NEW,
	SYS_IN,
	SYS_OUT,
	RECLAIM,
	RECLAIMED,
	TICK,
	TICKED,
	DELIVER,
	READ_IN,
	READ_OUT,
	FUTEX_IN,
	FUTEX_OUT,
	EXEC,
	EXIT,
	SAMPLE,
	FORK,
};

static const char *const formats[][2] = {
	{"sched",
	 FORMAT("sched_switch", "1",
		FIELD("prev_pid", "8") FIELD("prev_prio", "12") FIELD("prev_state", "16")
			FIELD("next_pid", "20") FIELD("next_prio", "24"))},
	{"sched",
	 FORMAT("sched_waking", "2", FIELD("pid", "8") FIELD("target_cpu", "12"))},
	{"sched",
	 FORMAT("sched_wakeup", "3", FIELD("pid", "8") FIELD("target_cpu", "12"))},
	{"sched",
	 FORMAT("sched_wakeup_new", "4", FIELD("pid", "8") FIELD("target_cpu", "12"))},
	{"raw_syscalls", FORMAT("sys_enter", "5", FIELD("id", "8"))},
	{"raw_syscalls", FORMAT("sys_exit", "6", FIELD("id", "8") FIELD("ret", "12"))},
	{"vmscan", FORMAT("mm_vmscan_memcg_reclaim_begin", "7", FIELD("order", "8"))},
	{"vmscan",
	 FORMAT("mm_vmscan_memcg_reclaim_end", "8", FIELD("nr_reclaimed", "8"))},
	{"irq_vectors", FORMAT("local_timer_entry", "9", FIELD("vector", "8"))},
	{"irq_vectors", FORMAT("local_timer_exit", "10", FIELD("vector", "8"))},
	{"signal",
	 FORMAT("signal_deliver", "11", FIELD("sig", "8") FIELD("sa_handler", "12"))},
	{"syscalls", FORMAT("sys_enter_read", "12", FIELD("__syscall_nr", "8"))},
	{"syscalls",
	 FORMAT("sys_exit_read", "13", FIELD("__syscall_nr", "8") FIELD("ret", "12"))},
	{"syscalls",
	 FORMAT("sys_enter_futex", "14", FIELD("uaddr", "8") FIELD("op", "12"))},
	{"syscalls", FORMAT("sys_exit_futex", "15", FIELD("ret", "8"))},
	{"sched", FORMAT("sched_process_exec", "16", FIELD("old_pid", "8"))},
	{"sched", FORMAT("sched_process_exit", "17", FIELD("prio", "8"))},
	{"perf", FORMAT("cpu_clock", "18", FIELD("ip", "8") FIELD("period", "12"))},
	{"sched", FORMAT("sched_process_fork", "19", FIELD("child_pid", "8"))},
};

struct record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	int32_t fields[5];
};

struct fixture {
	struct kft_trace *trace;
	struct fake_stream *cpus[2];
	struct record records[128];
	size_t n;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->trace = fake_trace_of(formats, ARRAY_SIZE(formats));
	for (uint32_t cpu = 0; cpu < ARRAY_SIZE(f->cpus); cpu++)
		f->cpus[cpu] = fake_add_stream(f->trace, 0, cpu);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	f->trace = kft_trace_destroy(f->trace);
	free(f);
	return 0;
}

/* An event at a millisecond, of the task that was on the CPU. */
static void at(struct fixture *f, uint64_t ms, uint32_t cpu, uint16_t id, int32_t pid,
	       const int32_t fields[5])
{
	struct record *r = &f->records[f->n++];
	struct fake_stream *stream = f->cpus[cpu];

	assert_true(f->n <= ARRAY_SIZE(f->records));
	*r = (struct record){.type = id, .pid = pid};
	memcpy(r->fields, fields, sizeof(r->fields));
	fake_add_event(stream, ms * MS, id, pid, 0);
	stream->evs[stream->len - 1].data = (const uint8_t *)r;
	stream->evs[stream->len - 1].size = sizeof(*r);
}

#define AT(f, ms, cpu, id, pid, ...) \
	at(f, ms, cpu, id, pid, (const int32_t[5]){__VA_ARGS__})

/* "60 ms running, waiting for ...; ": rows, the longest first. */
static void assert_rows_of(const struct kft_why *w, const char *expected)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_vec_for_each(&w->rows, row) {
		kft_strbuf_addf(&sb, "%u ms ", (unsigned int)(row->total_ns / MS));
		kft_why_add_row(w, row, &sb);
		kft_strbuf_adds(&sb, row->like.link ? ", " : "");
		kft_why_add_chain(w, row, &sb);
		kft_strbuf_adds(&sb, "; ");
	}
	assert_string_equal(kft_strbuf_cstr(&sb), expected);
}

static void assert_rows(struct fixture *f, int32_t pid, uint64_t from, uint64_t to,
			const char *expected)
{
	const struct kft_why_interval stretch = {from * MS, to * MS, .pid = pid};
	struct kft_why w;

	assert_int_equal(kft_why_explain_time(f->trace, &stretch, &w, NULL), 0);
	assert_rows_of(&w, expected);
	kft_why_finish(&w);
}

/* 7 waits from 10 to 90 for 9, which 8 makes at 60 only. */
static void before_a_task_is_born_its_parent_works(void **state)
{
	struct fixture *f = *state;

	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 1, 1, SWITCH, 0, 0, 120, 0, 8, 120);
	AT(f, 10, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	AT(f, 60, 1, NEW, 8, 9, 0);
	AT(f, 61, 0, SWITCH, 0, 0, 120, 0, 9, 120);
	AT(f, 90, 0, WAKING, 9, 7, 0);
	AT(f, 90, 0, WAKEUP, 9, 7, 0);
	AT(f, 90, 0, SWITCH, 9, 9, 120, 1, 7, 120);
	AT(f, 95, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_rows(
		f, 7, 5, 95,
		"50 ms <...>-8 running, waiting for <...>-9, that for <...>-8; "
		"29 ms <...>-9 running, waiting for <...>-9; 10 ms running; "
		"1 ms <...>-9 waiting for the idle CPU 0 to wake up, waiting for <...>-9; ");
}

/* 7 writes from 10 to 90, reclaims from 20 to 80, and waits for 8 from 40 to 50 of that. */
static void a_task_reclaims_memory_for_its_cgroup(void **state)
{
	struct fixture *f = *state;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const struct kft_why_interval stretch = {10 * MS, 90 * MS, .pid = 7};
	struct kft_err e = {};
	struct kft_why w;

	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 1, 1, SWITCH, 0, 0, 120, 0, 8, 120);
	AT(f, 10, 0, SYS_IN, 7, 1);
	AT(f, 20, 0, RECLAIM, 7, 0);
	AT(f, 40, 0, SWITCH, 7, 7, 120, 2, 0, 120);
	AT(f, 50, 1, WAKING, 8, 7, 0);
	AT(f, 50, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 80, 0, RECLAIMED, 7, 5);
	AT(f, 90, 0, SYS_OUT, 7, 1, 4096);
	AT(f, 95, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_rows(
		f, 7, 10, 90,
		"50 ms reclaiming memory, as its cgroup is at its limit (memory.max); 20 ms running in 1; 10 ms <...>-8 running in user mode, "
		"waiting for <...>-8; ");
	assert_int_equal(kft_why_explain_time(f->trace, &stretch, &w, &e), 0);
	kft_why_add_sentence(&w, &sb);
	assert_non_null(
		strstr(kft_strbuf_cstr(&sb),
		       "; 62.5 % of it: reclaiming memory, as its cgroup is at its "
		       "limit (memory.max). In 75.0 % of its time it was "
		       "reclaiming memory, as its cgroup is at its limit"));
	kft_why_finish(&w);
}

/* 7 runs from 10 to 50, in a system call for the last quarter. */
static void the_share_is_that_of_the_named_reason(void **state)
{
	struct fixture *f = *state;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const struct kft_why_interval stretch = {10 * MS, 50 * MS, .pid = 7};
	struct kft_err e = {};
	struct kft_why w;

	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 5, 0, SYS_IN, 7, 1);
	AT(f, 10, 0, SYS_OUT, 7, 1, 0);
	AT(f, 40, 0, SYS_IN, 7, 1);
	AT(f, 50, 0, SYS_OUT, 7, 1, 0);
	AT(f, 95, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_int_equal(kft_why_explain_time(f->trace, &stretch, &w, &e), 0);
	kft_why_add_sentence(&w, &sb);
	assert_non_null(
		strstr(kft_strbuf_cstr(&sb), "; 75.0 % of it: running in user mode."));
	kft_why_finish(&w);
}

static void name(struct fixture *f, uint64_t ms, uint32_t pid, const char *comm,
		 bool is_renamed)
{
	struct kft_task_name n = {.ts = ms * MS, .pid = pid, .is_renamed = is_renamed};

	(void)snprintf(n.comm, sizeof(n.comm), "%s", comm);
	assert_true(kft_vec_push(&f->trace->tasks.names, n));
	assert_int_equal(kft_task_table_sort(&f->trace->tasks), 0);
}

/* 8 was another task until 5; it is renamed at 20 and at 80. */
static void a_renamed_task_has_one_name(void **state)
{
	struct fixture *f = *state;
	int32_t pid;

	name(f, 1, 8, "before", false);
	name(f, 5, 8, "sh", false);
	name(f, 20, 8, "server", true);
	name(f, 80, 8, "done", true);
	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 6, 1, SWITCH, 0, 0, 120, 0, 8, 120);
	AT(f, 10, 0, SWITCH, 7, 7, 120, 2, 0, 120);
	AT(f, 12, 1, SYS_IN, 8, 3);
	AT(f, 30, 1, SYS_OUT, 8, 3, 0);
	AT(f, 90, 1, WAKING, 8, 7, 0);
	AT(f, 90, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 95, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_rows(f, 7, 5, 95,
		    "62 ms server-8 running in user mode, waiting for server-8; "
		    "18 ms server-8 running in 3, waiting for server-8; "
		    "10 ms running in user mode; ");
	assert_int_equal(kft_why_find_named(f->trace, "server", 21 * MS, 70 * MS, &pid),
			 1);
	assert_int_equal(pid, 8);
	name(f, 1, 7, "server", false);
	assert_int_equal(kft_why_find_named(f->trace, "server", 21 * MS, 95 * MS, &pid),
			 0);
}

/* Task 7 sleeps from 20 to 80 and has no event then; task 8 exists only later. */
static void a_task_without_events_is_found_by_name(void **state)
{
	struct fixture *f = *state;
	int32_t pid;

	name(f, 1, 7, "sleeper", false);
	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 10, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	AT(f, 40, 1, SYS_IN, 8, 3);
	AT(f, 60, 1, SYS_OUT, 8, 3, 0);
	AT(f, 90, 1, WAKING, 8, 7, 0);
	AT(f, 91, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	assert_int_equal(kft_why_find_named(f->trace, "sleeper", 20 * MS, 80 * MS, &pid),
			 1);
	assert_int_equal(pid, 7);
	name(f, 1, 8, "caller", false);
	assert_int_equal(kft_why_find_named(f->trace, "caller", 5 * MS, 9 * MS, &pid), 1);
	assert_int_equal(pid, 8);
	assert_int_equal(kft_why_find_named(f->trace, "nobody", 20 * MS, 80 * MS, &pid),
			 0);
}

/* FUTEX_LOCK_PI is 6, FUTEX_UNLOCK_PI 7. Locks of others may be given away meanwhile. */
static void a_task_spins_on_the_owner_of_a_futex(void **state)
{
	struct fixture *f = *state;

	name(f, 1, 8, "owner", false);
	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 1, 1, SWITCH, 0, 0, 120, 0, 8, 120);
	AT(f, 10, 0, FUTEX_IN, 7, 0xa0, 0x86);
	AT(f, 20, 1, FUTEX_IN, 8, 0xb0, 0x87);
	AT(f, 21, 1, FUTEX_OUT, 8, 0);
	AT(f, 60, 1, FUTEX_IN, 8, 0xa0, 0x87);
	AT(f, 61, 1, FUTEX_OUT, 8, 0);
	AT(f, 62, 0, FUTEX_OUT, 7, 0);
	AT(f, 70, 0, FUTEX_IN, 7, 0xa0, 0x80);
	AT(f, 90, 0, FUTEX_OUT, 7, 0);
	AT(f, 95, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_rows(f, 7, 10, 90,
		    "50 ms spinning in futex on the lock that owner-8 has; "
		    "22 ms running in futex; 8 ms running; ");
}

/* If only some calls are recorded, a task in none of these need not be in user mode. */
static void only_some_calls_are_recorded(void **state)
{
	struct fixture *f = *state;

	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 10, 0, READ_IN, 7, 0);
	AT(f, 40, 0, READ_OUT, 7, 0, 1);
	AT(f, 90, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_rows(f, 7, 10, 90, "50 ms running; 30 ms running in 0; ");
}

/* Ticks of 10 ms on both CPUs; CPU 0 has none from 40 to 110, CPU 1 none from and to. */
static void ticks(struct fixture *f, uint64_t from, uint64_t to, int32_t other)
{
	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 1, 1, SWITCH, 0, 0, 120, 0, other, 120);
	for (uint64_t ms = 10; ms < 200; ms += 10) {
		for (uint16_t id = TICK; id <= TICKED; id++) {
			if (ms <= 40 || ms >= 110)
				AT(f, ms, 0, id, 7, 0);
			if (ms <= from || ms >= to)
				AT(f, ms + 1, 1, id, other, 0);
		}
	}
}

static void a_machine_that_stood_still_was_silent_on_all_cpus(void **state)
{
	ticks(*state, 40, 110, 8);
	assert_rows(
		*state, 7, 20, 150,
		"70 ms nothing was seen on CPU 0, where <...>-7 was, nor on any other that "
		"had work: the machine stood still; 60 ms running; ");
}

static void one_cpu_is_silent_while_another_works(void **state)
{
	ticks(*state, 60, 110, 8);
	assert_rows(
		*state, 7, 20, 150,
		"70 ms nothing was seen on CPU 0, where <...>-7 was, while others worked: "
		"interrupts off, or a host that did not run this CPU; 60 ms running; ");
}

static void one_cpu_is_silent_while_another_is_idle(void **state)
{
	ticks(*state, 40, 110, 0);
	assert_rows(
		*state, 7, 20, 150,
		"70 ms nothing was seen on CPU 0, where <...>-7 was: interrupts off, or the "
		"machine stood still; 60 ms running; ");
}

/* Task 7 waits 80 ms for task 8, which sleeps, then is runnable for 20 us; no cause is known. */
static void a_wait_is_told_where_nothing_else_was_noticed(void **state)
{
	static const char machine[] = "Linux host 6.1 #1 x86_64";
	const struct kft_why_ask ask = {.task = "7", .keep = 1};
	struct fixture *f = *state;
	struct kft_why_found found;
	struct kft_err e = {};
	struct kft_why w;

	assert_int_equal(kft_meta_set_blob(&f->trace->meta, &f->trace->meta.uname,
					   machine, strlen(machine)),
			 0);
	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 1, 1, SWITCH, 0, 0, 120, 0, 8, 120);
	AT(f, 5, 1, SWITCH, 8, 8, 120, 1, 0, 120);
	AT(f, 10, 0, SYS_IN, 7, 202);
	AT(f, 10, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	AT(f, 80, 1, WAKING, 0, 8, 1);
	AT(f, 80, 1, SWITCH, 0, 0, 120, 0, 8, 120);
	AT(f, 90, 1, WAKING, 8, 7, 0);
	AT(f, 90, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	f->cpus[0]->evs[f->cpus[0]->len - 1].ts += 20000;
	AT(f, 91, 0, SYS_OUT, 7, 202, 0);
	AT(f, 99, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_int_equal(kft_why_answer(f->trace, &ask, 0, &found, &w, &e), 0);
	assert_int_equal(found.worst.len, 1);
	assert_string_equal(found.worst.data[0].kind->name, "syscall");
	assert_int_equal(kft_interval_ns(&found.worst.data[0]), 81 * MS);
	assert_int_equal(kft_interval_ns(&w.interval), 81 * MS);
	kft_why_finish(&w);
	kft_why_found_finish(&found);
}

static uint64_t count_read(const struct fixture *f)
{
	uint64_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(f->cpus); i++)
		n += f->cpus[i]->s.n_read;
	return n;
}

/*
 * Task 7 is woken 8 times; the last time task 8 lets it wait for longer. Ordinary waits are
 * compared with this one, and the ordinary candidate of another meaning with both.
 */
static void an_answer_reads_the_trace_twice(void **state)
{
	const struct kft_why_ask questions[] = {
		{.keep = 1}, {.keep = 1, .task = "7"}, {.keep = 2, .above_ns = 1}};
	struct fixture *f = *state;
	struct kft_err e = {};

	for (int i = 1; i <= 8; i++) {
		AT(f, i * 10, 0, WAKING, 8, 7, 0);
		AT(f, i * 10 + (i == 8 ? 6 : 1), 0, SWITCH, 8, 8, 120, 0, 7, 120);
		AT(f, i * 10 + 8, 0, SWITCH, 7, 7, 120, 1, 8, 120);
		AT(f, i * 10 + 9, 1, SYS_IN, 9, 202);
	}
	for (size_t i = 0; i < ARRAY_SIZE(questions); i++) {
		uint64_t before = count_read(f);
		struct kft_why_found found;
		struct kft_why w;

		assert_int_equal(
			kft_why_answer(f->trace, &questions[i], 0, &found, &w, &e), 0);
		assert_int_equal(kft_interval_ns(&w.interval), 6 * MS);
		assert_int_equal(found.usual.len, 2);
		assert_int_equal(count_read(f) - before, 2 * f->n);
		kft_why_finish(&w);
		kft_why_found_finish(&found);
	}
}

/* All of the worst are explained together: they are read at the same time. */
static void neighbours_are_explained_together(void **state)
{
	const struct kft_why_ask ask = {.keep = 8};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	struct fixture *f = *state;
	struct kft_why_found found;
	struct kft_err e = {};

	for (int i = 1; i <= 8; i++) {
		AT(f, i * 10, 0, WAKING, 8, 7, 0);
		AT(f, i * 10 + 1, 0, SWITCH, 8, 8, 120, 0, 7, 120);
		AT(f, i * 10 + 8, 0, SWITCH, 7, 7, 120, 1, 8, 120);
	}
	assert_int_equal(kft_why_find(f->trace, &ask, &found, &e), 0);
	assert_int_equal(found.worst.len, 8);
	uint64_t before = count_read(f);

	/* Once around the ordinary ones, and once around the worst. */
	assert_int_equal(kft_why_all(f->trace, &found, &result, &e), 0);
	assert_int_equal(count_read(f) - before, 2 * f->n);
	kft_why_found_finish(&found);
}

struct given {
	struct kft_why_facts *facts[3];
	size_t n_ticks[3];
};

static int note_facts(void *arg, size_t i, struct kft_why_facts *facts)
{
	struct given *given = arg;

	given->facts[i] = facts;
	given->n_ticks[i] = facts->cpus.data[1].ticks.len;
	return 0;
}

/* An ordinary interval has the ticks that its neighbour has, and is as silent without them. */
static void an_ordinary_interval_borrows_what_was_read(void **state)
{
	const struct kft_why_range ranges[] = {
		{50 * MS, 60 * MS, .borrows = true}, {0, 200 * MS}, {50 * MS, 60 * MS}};
	struct fixture *f = *state;
	struct given given = {};
	struct kft_err e = {};

	ticks(f, 200, 200, 8);
	uint64_t before = count_read(f);

	assert_int_equal(kft_why_facts_read(f->trace, ranges, 3, note_facts, &given, &e),
			 0);
	assert_int_equal(count_read(f) - before, f->n);
	assert_ptr_equal(given.facts[0], given.facts[1]);
	assert_ptr_not_equal(given.facts[2], given.facts[1]);
	assert_int_equal(given.n_ticks[0], given.n_ticks[1]);
	assert_true(given.n_ticks[2] < given.n_ticks[1]);
}

/*
 * The task is in the handler of SIGALRM from 20 to 60; it calls clock_gettime there. The handler
 * of signal 10 has no sigreturn, so its time counts as user mode.
 */
static void a_task_runs_in_the_handler_of_a_signal(void **state)
{
	static const char machine[] = "Linux host 6.1 #1 x86_64";
	struct fixture *f = *state;

	assert_int_equal(kft_meta_set_blob(&f->trace->meta, &f->trace->meta.uname,
					   machine, strlen(machine)),
			 0);
	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 20, 0, DELIVER, 7, 14, 4096);
	AT(f, 30, 0, SYS_IN, 7, 228);
	AT(f, 40, 0, SYS_OUT, 7, 228, 0);
	AT(f, 60, 0, SYS_IN, 7, 15);
	AT(f, 60, 0, SYS_OUT, 7, -1, 0);
	AT(f, 70, 0, DELIVER, 7, 10, 4096);
	AT(f, 80, 0, DELIVER, 7, 17, 0);
	AT(f, 99, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_rows(
		f, 7, 5, 95,
		"50 ms running in user mode; 40 ms running in the handler of SIGALRM; ");
}

static int keep_facts(void *arg, size_t i, struct kft_why_facts *facts)
{
	*(struct kft_why_facts *)arg = *facts;
	*facts = (struct kft_why_facts){};
	return 0;
}

/* CPU 0 leaves idle unseen, with its tick set again: that it seems late says nothing. */
static void a_tick_is_not_late_where_idle_is_left_unseen(void **state)
{
	const struct kft_why_interval tick = {50 * MS, 110 * MS, .pid = -1,
					      .is_late = true, .is_tick = true};
	struct fixture *f = *state;
	const struct kft_why_range range = {0, 200 * MS};
	struct kft_why_facts facts;
	struct kft_why_path path;
	struct kft_err e = {};

	ticks(f, 200, 200, 8);
	assert_int_equal(kft_why_facts_read(f->trace, &range, 1, keep_facts, &facts, &e),
			 0);
	assert_int_equal(kft_why_path_find(&facts, &tick, &path), 0);
	assert_int_equal(path.segments.data[0].cause, KFT_WHY_SILENT);
	kft_why_path_finish(&path);
	facts.cpus.data[0].n_left_idle = 0;
	facts.cpus.data[0].n_left_idle_unseen = 1;
	assert_int_equal(kft_why_path_find(&facts, &tick, &path), 0);
	assert_int_equal(path.segments.len, 1);
	assert_int_equal(path.segments.data[0].cause, KFT_WHY_UNKNOWN);
	kft_why_path_finish(&path);
	kft_why_facts_finish(&facts);
}

/* A program without symbols from 2000 on. */
static bool name_address(struct kft_trace *t, uint32_t pid, uint64_t addr, uint64_t ts,
			 struct kft_user_symbol *ret)
{
	*ret = (struct kft_user_symbol){
		.file = addr < 2000 ? "/usr/lib/libfoo.so" : "/usr/bin/foo",
		.name = addr < 2000 ? "json_parse" : NULL,
		.offset = addr,
	};
	return true;
}

static void assert_sentence_ends(struct fixture *f, const char *expected,
				 struct kft_why *w)
{
	const struct kft_why_interval stretch = {0, 100 * MS, .pid = 7};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_err e = {};

	assert_int_equal(kft_why_explain_time(f->trace, &stretch, w, &e), 0);
	kft_why_add_sentence(w, &sb);
	const char *end = strstr(kft_strbuf_cstr(&sb), "; ");
	assert_non_null(end);
	assert_string_equal(end, expected);
}

/*
 * 7 runs in user mode from 10 to 90, and in the call 228 from 50 to 60. Samples of 3 and in the call
 * do not count for user mode, but those in interrupts do.
 */
static void samples_split_running_time(void **state)
{
	struct fixture *f = *state;
	struct kft_why w;

	f->trace->user_symbol = name_address;
	AT(f, 10, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	for (uint64_t ms = 12; ms < 42; ms++)
		AT(f, ms, 0, SAMPLE, 7, ms < 36 ? 1000 + (int32_t)ms : 2000 + (int32_t)ms,
		   4);
	AT(f, 44, 0, TICK, 7, 236);
	AT(f, 44, 0, SAMPLE, 7, 1000, 4);
	AT(f, 44, 0, TICKED, 7, 236);
	AT(f, 45, 1, SAMPLE, 3, 1000, 4);
	AT(f, 50, 0, SYS_IN, 7, 228);
	AT(f, 55, 0, SAMPLE, 7, 1000, 4);
	AT(f, 60, 0, SYS_OUT, 7, 228, 0);
	AT(f, 90, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_sentence_ends(
		f,
		"; 70.0 % of it: running in user mode, about 56 of the 70 % in "
		"libfoo.so:json_parse, from 31 samples.",
		&w);
	const struct kft_why_functions *found = &w.functions;
	assert_int_equal(found->list.len, 2);
	assert_int_equal(found->list.data[0].samples, 25);
	assert_string_equal(kft_intern_text(&found->names, found->list.data[1].name),
			    "foo (no symbol)");
	/* The call has one sample. */
	assert_int_equal(found->unsplit_ns, 10 * MS);
	assert_int_equal(found->list.data[0].ns + found->list.data[1].ns, 70 * MS);
	kft_why_finish(&w);
}

static void few_samples_split_nothing(void **state)
{
	struct fixture *f = *state;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_why w;

	f->trace->user_symbol = name_address;
	AT(f, 10, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 11, 0, SYS_IN, 7, 228);
	AT(f, 11, 0, SYS_OUT, 7, 228, 0);
	for (uint64_t ms = 12; ms < 31; ms++)
		AT(f, ms, 0, SAMPLE, 7, 1000, 4);
	AT(f, 90, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_sentence_ends(f, "; 80.0 % of it: running in user mode.", &w);
	assert_int_equal(w.functions.list.len, 0);
	assert_int_equal(w.functions.unsplit_ns, 80 * MS);
	kft_why_add_remarks(&w, &sb);
	assert_non_null(
		strstr(kft_strbuf_cstr(&sb), "but only 19 were taken in that time"));
	kft_why_finish(&w);
}

static void assert_remarks(struct fixture *f, enum kft_why_cause lead,
			   const char *expected, const char *next)
{
	const struct kft_why_interval stretch = {5 * MS, 95 * MS, .pid = 7};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf to_record = {};
	struct kft_err e = {};
	struct kft_why w;

	assert_int_equal(kft_why_explain_time(f->trace, &stretch, &w, &e), 0);
	w.lead = lead;
	kft_why_add_remarks(&w, &sb);
	kft_why_add_next(&w, &to_record);
	assert_string_equal(kft_strbuf_cstr(&sb), expected);
	assert_string_equal(kft_strbuf_cstr(&to_record), next);
	kft_why_finish(&w);
}

/* Events that were recorded but did not occur are not advised for the next recording. */
static void what_was_recorded_is_not_missing(void **state)
{
	static const char command[] = "kft record --for why -- make";
	static const char samples[] = "kft record --for why --sample -d 10s";
	static const char functions[] = "kft record --for why -f '*' --min 1ms -d 10s";
	static const char lacks[] =
		"without ticks in the trace, a stall looks like work\n"
		"this kernel does not have: timer:hrtimer_* (timers, and with their tick "
		"whether a CPU was silent), irq:irq_handler_* (which device interrupts), "
		"irq:softirq_* (durations of softirqs), block:block_rq_* (requests to disks), "
		"workqueue (work of kworkers), signal (senders of signals)\n";
	struct fixture *f = *state;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 99, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_int_equal(kft_meta_set_blob(&f->trace->meta, &f->trace->meta.command,
					   command, strlen(command)),
			 0);
	kft_strbuf_addf(&sb, "%sto know more: %s\n", lacks, samples);
	assert_remarks(f, KFT_WHY_RUN, kft_strbuf_cstr(&sb), samples);
	sb.len = 0;
	kft_strbuf_addf(&sb, "%sto know more: %s\n", lacks, functions);
	assert_remarks(f, KFT_WHY_HELD, kft_strbuf_cstr(&sb), functions);
	for (uint64_t i = 0; i < 10000; i++) {
		const struct kft_symbol s = {.addr = i, .name = "sym", .name_len = 3};

		assert_int_equal(kft_symbol_table_add(&f->trace->symbols, &s), 0);
	}
	kft_symbol_table_sort(&f->trace->symbols);
	sb.len = 0;
	kft_strbuf_addf(&sb,
			"%scalls of functions would show more: this kernel has no "
			"tracer for them (CONFIG_FUNCTION_GRAPH_TRACER)\n",
			lacks);
	assert_remarks(f, KFT_WHY_HELD, kft_strbuf_cstr(&sb), "");
}

/* The child of the recorder executes sh at 20, while other programs begin and end. */
static void the_command_of_a_recording_is_found(void **state)
{
	struct fixture *f = *state;
	struct kft_why_command command;

	name(f, 1, 6, "bash", false);
	name(f, 1, 7, "kft", false);
	name(f, 9, 6, "cat", true);
	name(f, 19, 7, "sh", true);
	name(f, 29, 7, "make", true);
	AT(f, 2, 0, SWITCH, 0, 0, 120, 0, 6, 120);
	AT(f, 10, 0, EXEC, 6, 6);
	AT(f, 20, 1, EXEC, 7, 7);
	AT(f, 30, 1, EXEC, 7, 7);
	AT(f, 40, 0, EXIT, 6, 120);
	assert_int_equal(kft_why_command_find(f->trace, &command), 1);
	assert_int_equal(command.run.pid, 7);
	assert_int_equal(command.run.begin, 20 * MS);
	/* It has not ended yet. */
	assert_int_equal(command.run.end, 40 * MS);
	kft_why_command_finish(&command);
	AT(f, 50, 1, EXIT, 7, 120);
	AT(f, 60, 1, EXEC, 8, 8);
	assert_int_equal(kft_why_command_find(f->trace, &command), 1);
	assert_int_equal(command.run.end, 50 * MS);
	kft_why_command_finish(&command);
}

static void set_command_line(struct fixture *f, const char *line)
{
	struct kft_meta *meta = &f->trace->meta;

	assert_int_equal(kft_meta_set_blob(meta, &meta->command, line, strlen(line)), 0);
}

/* The recorder's file may have any name; the kernel keeps 15 bytes of it. */
static void a_recorder_of_any_name_is_known(void **state)
{
	static const char *const lines[] = {
		"tracer-of-the-lab record -- make",
		"/opt/bin/tracer-of-the-lab record -- make",
		"'/opt/my tools/tracer-of-the-lab' record -- make",
	};
	static const char *const others[] = {"",
					     "'",
					     "/opt/bin/ record",
					     "trace",
					     "/tracer-of-the-lab/tools record make",
					     "tracer-of-the-lab record -- makepkg",
					     "tracer-of-the-lab record -- cmake",
					     "tracer-of-the-lab record -d 5s"};
	struct fixture *f = *state;
	struct kft_why_command command;

	name(f, 1, 7, "tracer-of-the-l", false);
	name(f, 19, 7, "make", true);
	AT(f, 20, 1, EXEC, 7, 7);
	AT(f, 50, 1, EXIT, 7, 120);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		set_command_line(f, lines[i]);
		assert_int_equal(kft_why_command_find(f->trace, &command), 1);
		assert_int_equal(command.run.pid, 7);
		kft_why_command_finish(&command);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		set_command_line(f, others[i]);
		assert_int_equal(kft_why_command_find(f->trace, &command), 0);
	}
	set_command_line(f, "tracer record");
	assert_true(kft_why_is_recorder(f->trace, "tracer"));
	assert_true(kft_why_is_recorder(f->trace, "tracer-drain0"));
	assert_false(kft_why_is_recorder(f->trace, "tracers"));
	assert_false(kft_why_is_recorder(f->trace, ""));
}

/* The command is task 7, which starts 8; that starts 9 and ends. 8 is the number of a stranger then. */
static void tasks_of_the_command_are_known(void **state)
{
	struct fixture *f = *state;
	struct kft_why_command command;

	name(f, 1, 7, "kft", false);
	name(f, 19, 7, "sh", true);
	AT(f, 10, 0, FORK, 6, 5);
	AT(f, 20, 1, EXEC, 7, 7);
	AT(f, 30, 1, FORK, 7, 8);
	AT(f, 40, 0, FORK, 8, 9);
	AT(f, 50, 0, EXIT, 8, 120);
	AT(f, 60, 0, FORK, 5, 8);
	AT(f, 70, 0, FORK, 8, 10);
	AT(f, 80, 0, FORK, 9, 11);
	AT(f, 90, 1, EXIT, 7, 120);
	AT(f, 95, 0, FORK, 9, 12);
	assert_int_equal(kft_why_command_find(f->trace, &command), 1);
	assert_int_equal(command.descendants.len, 4);
	assert_false(kft_why_command_has(&command, 7, 19 * MS));
	assert_true(kft_why_command_has(&command, 7, 90 * MS));
	assert_false(kft_why_command_has(&command, 7, 91 * MS));
	assert_true(kft_why_command_has(&command, 8, 45 * MS));
	assert_false(kft_why_command_has(&command, 8, 65 * MS));
	assert_true(kft_why_command_has(&command, 9, 65 * MS));
	assert_true(kft_why_command_has(&command, 11, 85 * MS));
	for (int32_t pid = 5; pid <= 10; pid += 5)
		assert_false(kft_why_command_has(&command, pid, 75 * MS));
	kft_why_command_finish(&command);
}

static void assert_program(const struct kft_why *w, size_t i, const char *name,
			   uint32_t n_tasks, uint64_t total_ms, uint64_t running_ms)
{
	const struct kft_why_program *p = &w->programs.list.data[i];

	assert_true(i < w->programs.list.len);
	assert_string_equal(kft_intern_text(&w->programs.names, p->name), name);
	assert_int_equal(p->n_tasks, n_tasks);
	assert_int_equal(p->total_ns / MS, total_ms);
	assert_int_equal(p->by_class[KFT_WHY_CLASS_RUNNING] / MS, running_ms);
}

/*
 * The command, make (7), waits from 10 to 40 for cc (8), and from 50 to 90 for cc (9), which is behind
 * the stranger (5) until 57 and behind another one (6) until 60.
 */
static void tasks_of_a_command_count_by_program(void **state)
{
	struct fixture *f = *state;
	const struct kft_why_interval run = {5 * MS, 95 * MS, .pid = 7,
					     .is_command = true};
	struct kft_why w;

	name(f, 1, 5, "stranger", false);
	name(f, 1, 6, "other", false);
	name(f, 1, 7, "make", false);
	name(f, 1, 8, "cc", false);
	name(f, 1, 9, "cc", false);
	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 1, 1, SWITCH, 0, 0, 120, 0, 8, 120);
	AT(f, 10, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	AT(f, 40, 1, WAKING, 8, 7, 0);
	AT(f, 40, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 41, 1, SWITCH, 8, 8, 120, 1, 5, 120);
	AT(f, 45, 0, WAKING, 7, 9, 1);
	AT(f, 45, 0, WAKEUP, 7, 9, 1);
	AT(f, 50, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	AT(f, 57, 1, SWITCH, 5, 5, 120, 1, 6, 120);
	AT(f, 60, 1, SWITCH, 6, 6, 120, 1, 9, 120);
	AT(f, 90, 1, WAKING, 9, 7, 0);
	AT(f, 90, 0, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 96, 0, SWITCH, 7, 7, 120, 1, 0, 120);
	assert_int_equal(kft_why_explain_time(f->trace, &run, &w, NULL), 0);
	assert_rows_of(
		&w,
		"60 ms cc running, waiting for cc; 20 ms running; "
		"10 ms cc waiting for a CPU behind 2 programs, most (7.8 %) stranger, "
		"waiting for cc; ");
	assert_program(&w, 0, "make", 1, 20, 20);
	assert_program(&w, 1, "cc", 2, 70, 60);
	assert_program(&w, 2, "stranger", 0, 0, 0);
	kft_why_finish(&w);
}

/* 5 is a stranger and waits for longer than 8, a task of the command; 9 waits before the command began. */
static void the_strangest_interval_is_one_of_the_commands_tasks(void **state)
{
	struct fixture *f = *state;
	struct kft_why_command command;
	struct kft_why w;

	name(f, 1, 7, "kft", false);
	name(f, 19, 7, "sh", true);
	AT(f, 1, 0, SWITCH, 0, 0, 120, 0, 6, 120);
	AT(f, 2, 0, WAKING, 6, 9, 0);
	AT(f, 2, 0, WAKEUP, 6, 9, 0);
	AT(f, 18, 0, SWITCH, 6, 6, 120, 0, 9, 120);
	AT(f, 19, 0, SWITCH, 9, 9, 120, 1, 6, 120);
	AT(f, 20, 1, EXEC, 7, 7);
	AT(f, 21, 1, FORK, 7, 8);
	AT(f, 22, 0, WAKING, 6, 5, 0);
	AT(f, 22, 0, WAKEUP, 6, 5, 0);
	AT(f, 30, 0, WAKING, 6, 8, 0);
	AT(f, 30, 0, WAKEUP, 6, 8, 0);
	AT(f, 40, 0, SWITCH, 6, 6, 120, 0, 8, 120);
	AT(f, 50, 0, SWITCH, 8, 8, 120, 1, 5, 120);
	AT(f, 60, 1, EXIT, 7, 120);
	assert_int_equal(kft_why_command_find(f->trace, &command), 1);
	assert_int_equal(kft_why_strangest_of(f->trace, &command, &w, NULL), 1);
	assert_int_equal(w.interval.pid, 8);
	assert_int_equal(w.interval.begin_ns, 30 * MS);
	assert_int_equal(w.interval.end_ns, 40 * MS);
	kft_why_finish(&w);
	/* Nothing of it took long. */
	command.run.end = 35 * MS;
	assert_int_equal(kft_why_strangest_of(f->trace, &command, &w, NULL), 0);
	kft_why_command_finish(&command);
}

static int add_life(void *arg, const struct kft_why *life)
{
	const struct kft_interval *i = &life->interval;

	kft_strbuf_addf(arg, "%d from %" PRIu64 " to %" PRIu64 ";", i->pid,
			i->begin_ns / MS, i->end_ns / MS);
	return 0;
}

static void assert_lives(struct fixture *f, const struct kft_scope *scope,
			 const char *expected)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(kft_wall_run(f->trace, scope, add_life, &sb, NULL), 0);
	assert_string_equal(kft_strbuf_cstr(&sb), expected);
}

/* 5 is a stranger, 6 the recorder, 7 the command since 20; 6 has its name since it slept. */
static void the_time_of_the_command_comes_before_that_of_others(void **state)
{
	struct fixture *f = *state;
	const uint32_t recorder = 6;
	const struct kft_scope all = {};
	const struct kft_scope one = {.pids = &recorder, .n_pids = 1};

	name(f, 1, 5, "stranger", false);
	name(f, 14, 6, "kft", false);
	name(f, 1, 7, "kft", false);
	name(f, 19, 7, "sh", true);
	AT(f, 5, 0, SWITCH, 0, 0, 120, 0, 5, 120);
	AT(f, 8, 0, SWITCH, 5, 5, 120, 1, 6, 120);
	AT(f, 10, 1, SWITCH, 0, 0, 120, 0, 7, 120);
	AT(f, 14, 0, SWITCH, 6, 6, 120, 1, 0, 120);
	AT(f, 20, 1, EXEC, 7, 7);
	AT(f, 50, 1, EXIT, 7, 120);
	AT(f, 50, 1, SWITCH, 7, 7, 120, 64, 0, 120);
	assert_lives(f, &all, "7 from 20 to 50;5 from 5 to 50;");
	assert_lives(f, &one, "6 from 5 to 50;");
}

static void a_trace_without_a_command_has_none_to_explain(void **state)
{
	struct fixture *f = *state;
	struct kft_why_command command;

	name(f, 1, 6, "bash", false);
	AT(f, 10, 0, EXEC, 6, 6);
	AT(f, 40, 0, EXIT, 6, 120);
	assert_int_equal(kft_why_command_find(f->trace, &command), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(before_a_task_is_born_its_parent_works, setup,
					teardown),
	cmocka_unit_test_setup_teardown(a_task_reclaims_memory_for_its_cgroup, setup,
					teardown),
	cmocka_unit_test_setup_teardown(the_share_is_that_of_the_named_reason, setup,
					teardown),
	cmocka_unit_test_setup_teardown(a_renamed_task_has_one_name, setup, teardown),
	cmocka_unit_test_setup_teardown(a_task_without_events_is_found_by_name, setup,
					teardown),
	cmocka_unit_test_setup_teardown(a_task_spins_on_the_owner_of_a_futex, setup,
					teardown),
	cmocka_unit_test_setup_teardown(only_some_calls_are_recorded, setup, teardown),
	cmocka_unit_test_setup_teardown(a_machine_that_stood_still_was_silent_on_all_cpus,
					setup, teardown),
	cmocka_unit_test_setup_teardown(one_cpu_is_silent_while_another_works, setup,
					teardown),
	cmocka_unit_test_setup_teardown(one_cpu_is_silent_while_another_is_idle, setup,
					teardown),
	cmocka_unit_test_setup_teardown(a_wait_is_told_where_nothing_else_was_noticed,
					setup, teardown),
	cmocka_unit_test_setup_teardown(an_answer_reads_the_trace_twice, setup, teardown),
	cmocka_unit_test_setup_teardown(neighbours_are_explained_together, setup,
					teardown),
	cmocka_unit_test_setup_teardown(an_ordinary_interval_borrows_what_was_read, setup,
					teardown),
	cmocka_unit_test_setup_teardown(a_task_runs_in_the_handler_of_a_signal, setup,
					teardown),
	cmocka_unit_test_setup_teardown(a_tick_is_not_late_where_idle_is_left_unseen,
					setup, teardown),
	cmocka_unit_test_setup_teardown(samples_split_running_time, setup, teardown),
	cmocka_unit_test_setup_teardown(few_samples_split_nothing, setup, teardown),
	cmocka_unit_test_setup_teardown(what_was_recorded_is_not_missing, setup,
					teardown),
	cmocka_unit_test_setup_teardown(the_command_of_a_recording_is_found, setup,
					teardown),
	cmocka_unit_test_setup_teardown(a_recorder_of_any_name_is_known, setup, teardown),
	cmocka_unit_test_setup_teardown(tasks_of_the_command_are_known, setup, teardown),
	cmocka_unit_test_setup_teardown(tasks_of_a_command_count_by_program, setup,
					teardown),
	cmocka_unit_test_setup_teardown(
		the_strangest_interval_is_one_of_the_commands_tasks, setup, teardown),
	cmocka_unit_test_setup_teardown(
		the_time_of_the_command_comes_before_that_of_others, setup, teardown),
	cmocka_unit_test_setup_teardown(a_trace_without_a_command_has_none_to_explain,
					setup, teardown),
};

T_MAIN(tests)
