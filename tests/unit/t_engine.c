// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdio.h>

#include "derive/kinds/kinds.h"
#include "fake_trace.h"

enum {
	IRQ_IN = 1,
	IRQ_OUT,
	SYS_IN,
	SYS_OUT,
	SWITCH,
	WAKING,
	NEW,
	FORK,
	EXITED,
	EXEC,
	WOKEN,
	MIGRATED,
};

static const char *const formats[][2] = {
	{"irq", FORMAT("irq_handler_entry", "1", FIELD("irq", "8"))},
	{"irq", FORMAT("irq_handler_exit", "2", FIELD("irq", "8") FIELD("ret", "12"))},
	{"raw_syscalls", FORMAT("sys_enter", "3", FIELD("id", "8"))},
	{"raw_syscalls", FORMAT("sys_exit", "4", FIELD("id", "8") FIELD("ret", "12"))},
	{"sched", FORMAT("sched_switch", "5",
			 FIELD("prev_pid", "8") FIELD("prev_state", "12")
				 FIELD("next_pid", "16"))},
	{"sched", FORMAT("sched_waking", "6", FIELD("pid", "8"))},
	{"sched", FORMAT("sched_wakeup_new", "7", FIELD("pid", "8"))},
	{"sched", FORMAT("sched_process_fork", "8",
			 FIELD("parent_pid", "8") FIELD("child_pid", "12"))},
	{"sched", FORMAT("sched_process_exit", "9", FIELD("pid", "8"))},
	{"sched",
	 FORMAT("sched_process_exec", "10", FIELD("pid", "8") FIELD("old_pid", "12"))},
	{"sched", FORMAT("sched_wakeup", "11", FIELD("pid", "8"))},
	{"sched",
	 FORMAT("sched_migrate_task", "12", FIELD("pid", "8") FIELD("dest_cpu", "12"))},
};

struct record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	int32_t fields[3];
};

struct fixture {
	struct kft_trace *trace;
	struct kft_engine *engine;
	char told[2048];
};

/* Appends "task 7 sleeping 10+20 <8 flags; ", with the value if it is known. */
static int tell(void *arg, const struct kft_interval *i)
{
	struct fixture *f = arg;
	size_t len = strlen(f->told);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf key = {};
	char value[24] = "";

	kft_interval_key_text(f->trace, i->kind, i->key, &key);
	if (i->value != KFT_INTERVAL_NO_VALUE)
		(void)snprintf(value, sizeof(value), " =%d", (int)i->value);
	(void)snprintf(f->told + len, sizeof(f->told) - len,
		       "%s %d.%u %s %u+%u%s%s%s%s; ", i->kind->name, i->pid, i->cpu,
		       kft_strbuf_cstr(&key), (unsigned int)i->begin_ns,
		       (unsigned int)(i->end_ns - i->begin_ns), value,
		       i->flags & KFT_INTERVAL_BEGUN_BEFORE ? " before" : "",
		       i->flags & KFT_INTERVAL_NOT_ENDED ? " open" : "",
		       i->flags & KFT_INTERVAL_LOSSES ? " losses" : "");
	return 0;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	const struct kft_interval_sink sink = {tell, f};
	const struct kft_interval_kind *kinds[] = {
		kft_interval_kind_find("irq"), kft_interval_kind_find("softirq"),
		kft_interval_kind_find("syscall"), kft_interval_kind_find("task")};

	assert_non_null(f);
	f->trace = fake_trace_of(formats, ARRAY_SIZE(formats));
	assert_int_equal(
		kft_engine_create(f->trace, kinds, ARRAY_SIZE(kinds), &sink, &f->engine),
		0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	f->engine = kft_engine_destroy(f->engine);
	f->trace = kft_trace_destroy(f->trace);
	free(f);
	return 0;
}

static struct kft_event event_of(const struct record *r, uint64_t ts, uint32_t cpu)
{
	return (struct kft_event){.ts = ts,
				  .cpu = cpu,
				  .id = r->type,
				  .data = (const uint8_t *)r,
				  .size = sizeof(*r)};
}

static void feed(struct fixture *f, uint64_t ts, uint32_t cpu, uint16_t id, int32_t pid,
		 int32_t a, int32_t b, int32_t c)
{
	const struct record r = {.type = id, .pid = pid, .fields = {a, b, c}};
	const struct kft_event ev = event_of(&r, ts, cpu);

	assert_int_equal(kft_engine_feed(f->engine, &ev), 0);
}

/* Reads an event before it is fed, like a thread that reads ahead. */
static void read_ahead(struct fixture *f, struct kft_rows *to, uint64_t ts, uint16_t id,
		       int32_t pid, int32_t a, uint64_t lost)
{
	const struct record r = {.type = id, .pid = pid, .fields = {a}};
	struct kft_event ev = event_of(&r, ts, to->cpu);

	ev.lost_before = lost;
	assert_int_equal(kft_engine_read(f->engine, &ev, 1, to), 0);
}

static void feed_until(struct fixture *f, struct kft_rows *rows, uint64_t until)
{
	assert_int_equal(kft_engine_feed_rows(f->engine, rows, until), 0);
}

static void lose(struct fixture *f, uint64_t ts)
{
	const struct record r = {};
	struct kft_event ev = event_of(&r, ts, 0);

	ev.lost_before = 1;
	assert_int_equal(kft_engine_feed(f->engine, &ev), 0);
}

static void assert_told(struct fixture *f, const char *text)
{
	assert_int_equal(kft_engine_flush(f->engine), 0);
	assert_int_equal(kft_engine_flush(f->engine), 0);
	assert_string_equal(f->told, text);
}

static void interrupts_are_of_a_cpu(void **state)
{
	struct fixture *f = *state;

	feed(f, 10, 0, IRQ_IN, 7, 33, 0, 0);
	feed(f, 11, 1, IRQ_IN, 8, 33, 0, 0);
	feed(f, 12, 0, IRQ_IN, 7, 34, 0, 0);
	feed(f, 14, 0, IRQ_OUT, 7, 34, 1, 0);
	feed(f, 15, 1, IRQ_OUT, 8, 33, 0, 0);
	feed(f, 20, 0, IRQ_OUT, 7, 33, 1, 0);
	assert_told(f, "irq 7.0 34 12+2 =1; irq 8.1 33 11+4 =0; irq 7.0 33 10+10 =1; ");
}

static void system_calls_are_of_a_task(void **state)
{
	struct fixture *f = *state;

	feed(f, 10, 0, SYS_OUT, 7, 1, -4, 0);
	feed(f, 11, 0, SYS_IN, 7, 2, 0, 0);
	feed(f, 12, 0, SYS_IN, 8, 3, 0, 0);
	feed(f, 15, 1, SYS_OUT, 7, 2, 5, 0);
	assert_told(f, "syscall 7.0 1 10+0 =-4 before; syscall 7.0 2 11+4 =5; "
		       "syscall 8.0 3 12+3 open; ");
}

static void calls_begin_and_end_with_their_tasks(void **state)
{
	struct fixture *f = *state;

	feed(f, 10, 0, SYS_IN, 7, 56, 0, 0);
	feed(f, 12, 0, FORK, 7, 7, 8, 0);
	feed(f, 13, 0, SYS_OUT, 7, 56, 8, 0);
	feed(f, 15, 1, SYS_OUT, 8, 56, 0, 0);
	feed(f, 16, 1, SYS_IN, 8, 231, 0, 0);
	feed(f, 19, 1, EXITED, 8, 8, 0, 0);
	/* A thread of the kernel, from one that is in no call. */
	feed(f, 20, 0, FORK, 2, 2, 9, 0);
	/* A call without a recorded entry began after the end of the last recorded call. */
	feed(f, 25, 0, SYS_OUT, 7, 1, 0, 0);
	assert_told(f, "syscall 7.0 56 10+3 =8; syscall 8.0 56 12+3 =0 before; "
		       "syscall 8.1 231 16+3 open; syscall 7.0 1 13+12 =0 losses; ");
}

static void a_thread_that_executes_a_program_returns_as_its_leader(void **state)
{
	struct fixture *f = *state;

	feed(f, 10, 0, SYS_IN, 7, 202, 0, 0);
	feed(f, 11, 1, SYS_IN, 8, 59, 0, 0);
	feed(f, 13, 0, EXITED, 7, 7, 0, 0);
	feed(f, 15, 1, EXEC, 7, 7, 8, 0);
	feed(f, 16, 1, SYS_OUT, 7, 59, 0, 0);
	feed(f, 18, 1, SYS_IN, 7, 0, 0, 0);
	assert_told(f, "syscall 7.0 202 10+3 open; syscall 8.1 59 11+5 =0; "
		       "syscall 7.1 0 18+0 open; ");
}

static void what_is_lost_is_said(void **state)
{
	struct fixture *f = *state;

	feed(f, 10, 0, IRQ_IN, 7, 33, 0, 0);
	lose(f, 12);
	feed(f, 14, 0, IRQ_IN, 7, 34, 0, 0);
	feed(f, 16, 0, IRQ_OUT, 7, 34, 1, 0);
	feed(f, 18, 0, IRQ_OUT, 7, 33, 1, 0);
	feed(f, 20, 0, IRQ_OUT, 7, 35, 1, 0);
	assert_told(f, "irq 7.0 34 14+2 =1; irq 7.0 33 10+8 =1 losses; "
		       "irq 7.0 35 10+10 =1 before losses; ");
}

/* 7 sleeps, 8 wakes it, it waits for the CPU that 9 has, and is preempted in the end. */
static void tasks_have_one_state_after_another(void **state)
{
	struct fixture *f = *state;

	feed(f, 10, 0, SWITCH, 7, 7, 1, 9);
	feed(f, 20, 1, WAKING, 8, 7, 0, 0);
	feed(f, 22, 1, WAKING, 8, 7, 0, 0);
	feed(f, 25, 0, SWITCH, 9, 9, 2, 7);
	feed(f, 30, 0, SWITCH, 7, 7, 0x100, 0);
	assert_told(f, "task 7.0 running 10+0 before; task 9.0 waiting 10+0 before; "
		       "task 7.0 sleeping 10+10; task 9.0 running 10+15; "
		       "task 7.1 waiting 20+5 =8; task 7.0 running 25+5; "
		       "task 7.0 preempted 30+0 open; task 9.0 blocked 25+5 open; ");
}

static void pids_are_used_again(void **state)
{
	struct fixture *f = *state;

	feed(f, 10, 0, NEW, 3, 7, 0, 0);
	feed(f, 12, 0, SWITCH, 0, 0, 0, 7);
	feed(f, 20, 0, SWITCH, 7, 7, 0x20, 0);
	feed(f, 30, 0, NEW, 3, 7, 0, 0);
	feed(f, 31, 0, SWITCH, 0, 0, 0, 7);
	assert_told(f, "task 7.0 waiting 10+2 =3; task 7.0 running 12+8; "
		       "task 7.0 waiting 30+1 =3; task 7.0 running 31+0 open; ");
}

/* The switches from 8 to 9 and from 7 to 8 are missing, and so is 7's move to CPU 1. */
static void switches_that_were_not_recorded_are_noticed(void **state)
{
	struct fixture *f = *state;

	feed(f, 10, 0, SWITCH, 0, 0, 0, 8);
	feed(f, 20, 0, SWITCH, 9, 9, 1, 7);
	feed(f, 30, 1, SWITCH, 7, 7, 1, 0);
	feed(f, 40, 0, SWITCH, 8, 8, 1, 0);
	assert_told(f, "task 8.0 waiting 10+0 before; task 8.0 running 10+10 losses; "
		       "task 9.0 running 10+10 before; task 7.0 waiting 10+10 before; "
		       "task 7.0 running 20+10 losses; "
		       "task 8.0 running 20+20 losses; "
		       "task 8.0 sleeping 40+0 open; task 9.0 sleeping 20+20 open; "
		       "task 7.1 sleeping 30+10 open; ");
}

/* On one CPU of two: while 7 is not there, it may run on the other one. */
static void states_that_an_unseen_cpu_can_end_are_unknown(void **state)
{
	struct fixture *f = *state;
	struct kft_coverage coverage = {.is_partial = true};

	kft_bits_add(coverage.cpus.bits, 0);
	kft_engine_cover(f->engine, &coverage);
	feed(f, 10, 0, SWITCH, 7, 7, 0, 9);
	feed(f, 15, 0, WAKING, 9, 8, 0, 0);
	feed(f, 20, 0, SWITCH, 9, 9, 1, 7);
	feed(f, 25, 0, NEW, 7, 6, 0, 0);
	feed(f, 30, 0, SWITCH, 7, 7, 1, 6);
	feed(f, 40, 0, SWITCH, 6, 6, 0, 0);
	assert_told(f, "task 7.0 running 10+0 before; task 9.0 running 10+10; "
		       "task 7.0 running 20+10; task 6.0 running 30+10; ");
}

/* A thread of CPU 0 runs nowhere else, nor does a thread of CPU 1 run on CPU 0. */
static void threads_of_a_cpu_stay_there(void **state)
{
	struct fixture *f = *state;
	struct kft_coverage coverage = {.is_partial = true};

	kft_bits_add(coverage.cpus.bits, 0);
	kft_engine_cover(f->engine, &coverage);
	assert_int_equal(kft_task_set_comm(&f->trace->tasks, 7, "ksoftirqd/0", 11), 0);
	assert_int_equal(kft_task_set_comm(&f->trace->tasks, 8, "ksoftirqd/1", 11), 0);
	assert_int_equal(kft_task_set_comm(&f->trace->tasks, 9, "kworker/u4:0", 12), 0);
	feed(f, 10, 0, WAKING, 5, 7, 0, 0);
	feed(f, 10, 0, WAKING, 5, 8, 0, 0);
	feed(f, 10, 0, WAKING, 5, 9, 0, 0);
	feed(f, 20, 0, SWITCH, 0, 0, 0, 7);
	feed(f, 30, 0, SWITCH, 7, 7, 1, 9);
	feed(f, 40, 0, WAKING, 9, 7, 0, 0);
	feed(f, 45, 0, SWITCH, 9, 9, 0, 7);
	feed(f, 50, 0, SWITCH, 7, 7, 1, 0);
	feed(f, 60, 0, SWITCH, 0, 0, 0, 7);
	assert_told(f, "task 7.0 waiting 10+10 =5; task 7.0 running 20+10; "
		       "task 7.0 sleeping 30+10; task 9.0 running 30+15; "
		       "task 7.0 waiting 40+5 =9; task 7.0 running 45+5; "
		       "task 7.0 running 60+0 open; ");
}

/* Until 30 CPU 1 has no events: 7 may have run there, and 8 was off all CPUs from then on. */
static void states_are_known_from_when_all_cpus_are_read(void **state)
{
	struct fixture *f = *state;
	struct kft_coverage coverage = {.whole_from = 30};

	kft_bits_add(coverage.cpus.bits, 0);
	kft_bits_add(coverage.cpus.bits, 1);
	kft_engine_span(f->engine, 5, 60);
	kft_engine_cover(f->engine, &coverage);
	feed(f, 10, 0, SWITCH, 7, 7, 0, 8);
	feed(f, 20, 0, SWITCH, 8, 8, 0, 7);
	feed(f, 25, 0, SWITCH, 7, 7, 1, 0);
	feed(f, 40, 1, SWITCH, 0, 0, 0, 8);
	feed(f, 45, 1, WAKING, 8, 7, 0, 0);
	feed(f, 50, 1, SWITCH, 8, 8, 0, 7);
	assert_told(f, "task 8.0 running 10+10; task 7.0 running 20+5; "
		       "task 8.1 waiting 30+10 before; task 7.1 sleeping 30+15 before; "
		       "task 8.1 running 40+10; task 7.1 waiting 45+5 =8; "
		       "task 7.1 running 50+10 open; task 8.1 preempted 50+10 open; ");
}

static void kinds_are_found_by_name(void **state)
{
	for (size_t i = 0; kft_interval_kinds[i]; i++)
		assert_ptr_equal(kft_interval_kind_find(kft_interval_kinds[i]->name),
				 kft_interval_kinds[i]);
	assert_null(kft_interval_kind_find("none"));
}

static int tell_queue(void *arg, uint64_t ts, uint32_t cpu, int by)
{
	struct fixture *f = arg;
	size_t len = strlen(f->told);

	(void)snprintf(f->told + len, sizeof(f->told) - len, "%u CPU %u %+d; ",
		       (unsigned int)ts, cpu, by);
	return 0;
}

static int ignore(void *arg, const struct kft_interval *i)
{
	return 0;
}

/*
 * Task 8 waits for the CPU of its waker, and moves to CPU 0, where it preempts 7. That 7 left
 * CPU 0 before 32 was not recorded. 5 may run on a CPU that is not read as soon as there is one.
 */
static void waiting_tasks_are_counted_on_their_cpus(void **state)
{
	const struct kft_interval_kind *kinds[] = {&kft_kind_task};
	struct fixture *f = *state;
	const struct kft_interval_sink sink = {ignore, f, tell_queue};
	struct kft_coverage coverage = {.is_partial = true};

	f->engine = kft_engine_destroy(f->engine);
	assert_int_equal(kft_engine_create(f->trace, kinds, 1, &sink, &f->engine), 0);
	feed(f, 10, 0, SWITCH, 0, 0, 0, 7);
	feed(f, 12, 1, WAKING, 9, 8, 0, 0);
	feed(f, 13, 1, WOKEN, 9, 8, 0, 0);
	feed(f, 14, 1, MIGRATED, 9, 8, 0, 0);
	feed(f, 15, 1, MIGRATED, 9, 6, 0, 0);
	feed(f, 20, 0, SWITCH, 7, 7, 0, 8);
	feed(f, 25, 1, WAKING, 9, 8, 0, 0);
	feed(f, 30, 0, SWITCH, 8, 8, 1, 7);
	feed(f, 32, 0, SWITCH, 4, 4, 1, 0);
	feed(f, 34, 0, WAKING, 0, 7, 0, 0);
	feed(f, 36, 0, SWITCH, 0, 0, 0, 7);
	feed(f, 40, 1, NEW, 9, 5, 0, 0);
	kft_engine_cover(f->engine, &coverage);
	feed(f, 50, 0, SWITCH, 7, 7, 1, 0);
	feed(f, 60, 0, SWITCH, 0, 0, 0, 5);
	assert_string_equal(f->told, "12 CPU 1 +1; 14 CPU 1 -1; 14 CPU 0 +1; "
				     "20 CPU 0 +1; 20 CPU 0 -1; 30 CPU 0 -1; "
				     "34 CPU 0 +1; 36 CPU 0 -1; 40 CPU 1 +1; "
				     "50 CPU 1 -1; ");
}

#define with_fixture(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static void what_is_read_ahead_is_fed_as_it_came(void **state)
{
	struct fixture *f = *state;
	struct kft_rows zero = {.cpu = 0};
	struct kft_rows one = {.cpu = 1};

	read_ahead(f, &zero, 5, 99, 7, 0, 0);
	size_t len = zero.words.len;
	read_ahead(f, &zero, 7, 99, 7, 0, 0);
	assert_int_equal(zero.words.len, len);
	read_ahead(f, &zero, 10, IRQ_IN, 7, 33, 0);
	read_ahead(f, &one, 11, IRQ_IN, 8, 34, 0);
	read_ahead(f, &one, 12, 99, 0, 0, 3);
	read_ahead(f, &zero, 14, IRQ_OUT, 7, 33, 0);
	read_ahead(f, &one, 15, IRQ_OUT, 8, 34, 0);
	read_ahead(f, &one, 16, IRQ_OUT, 8, 35, 0);
	assert_string_equal(f->told, "");
	feed_until(f, &zero, 10);
	assert_int_equal(zero.words.data[zero.at], 14);
	feed_until(f, &one, 13);
	assert_int_equal(one.words.data[one.at], 15);
	feed_until(f, &zero, 14);
	assert_int_equal(zero.at, zero.words.len);
	feed_until(f, &one, UINT64_MAX);
	assert_told(f, "irq 7.0 33 10+4 =0; irq 8.1 34 11+4 =0 losses; "
		       "irq 8.1 35 5+11 =0 before losses; ");
	kft_vec_finish(&zero.words);
	kft_vec_finish(&one.words);
}

/* The wakeup of task 7 may have begun in the loss; that of task 8 is complete. */
static void a_wait_whose_beginning_may_be_lost_is_no_whole_one(void **state)
{
	struct fixture *f = *state;

	feed(f, 10, 0, SWITCH, 7, 7, 1, 8);
	feed(f, 11, 0, SWITCH, 8, 8, 1, 0);
	feed(f, 20, 0, WAKING, 0, 8, 0, 0);
	feed(f, 21, 0, WOKEN, 0, 8, 0, 0);
	feed(f, 24, 0, SWITCH, 0, 0, 0, 8);
	lose(f, 30);
	feed(f, 31, 0, WOKEN, 8, 7, 0, 0);
	feed(f, 35, 0, SWITCH, 8, 8, 1, 7);
	assert_string_equal(f->told, "task 7.0 running 10+0 before; "
				     "task 8.0 waiting 10+0 before; "
				     "task 8.0 running 10+1; task 8.0 sleeping 11+9; "
				     "task 8.0 waiting 20+4 =0; "
				     "task 7.0 sleeping 10+21 losses; "
				     "task 8.0 running 24+11 losses; "
				     "task 7.0 waiting 31+4 =8 losses; ");
}

/* At equal times the first one's come first; it ends where one has no more. */
static void rows_of_two_streams_are_fed_in_order(void **state)
{
	struct fixture *f = *state;
	struct kft_rows zero = {.cpu = 0};
	struct kft_rows one = {.cpu = 1};

	read_ahead(f, &zero, 10, SYS_IN, 7, 1, 0);
	read_ahead(f, &one, 10, SYS_OUT, 7, 1, 0);
	read_ahead(f, &one, 11, SYS_IN, 7, 2, 0);
	read_ahead(f, &zero, 12, SYS_OUT, 7, 2, 4);
	read_ahead(f, &one, 13, SYS_IN, 7, 3, 0);
	assert_int_equal(kft_engine_feed_both(f->engine, &zero, &one), 0);
	assert_int_equal(zero.at, zero.words.len);
	assert_int_equal(one.words.data[one.at], 13);
	feed_until(f, &one, UINT64_MAX);
	assert_told(f, "syscall 7.0 1 10+0 =0; syscall 7.1 2 11+1 =0 losses; "
		       "syscall 7.1 3 13+0 open; ");
	kft_vec_finish(&zero.words);
	kft_vec_finish(&one.words);
}

/* A record that ends before the field "ret" is ignored, but the loss before it counts. */
static void records_that_are_too_short_are_not_heard(void **state)
{
	struct fixture *f = *state;
	const struct record r = {.type = SYS_OUT, .pid = 7, .fields = {1}};
	struct kft_event ev = event_of(&r, 12, 0);

	feed(f, 10, 0, SYS_IN, 7, 1, 0, 0);
	ev.size = 12;
	ev.lost_before = 1;
	assert_int_equal(kft_engine_feed(f->engine, &ev), 0);
	ev.ts = 15;
	ev.size = 16;
	ev.lost_before = 0;
	assert_int_equal(kft_engine_feed(f->engine, &ev), 0);
	assert_told(f, "syscall 7.0 1 10+5 =0 losses; ");
}

static const struct CMUnitTest tests[] = {
	with_fixture(a_wait_whose_beginning_may_be_lost_is_no_whole_one),
	with_fixture(what_is_read_ahead_is_fed_as_it_came),
	with_fixture(rows_of_two_streams_are_fed_in_order),
	with_fixture(records_that_are_too_short_are_not_heard),
	with_fixture(interrupts_are_of_a_cpu),
	with_fixture(system_calls_are_of_a_task),
	with_fixture(calls_begin_and_end_with_their_tasks),
	with_fixture(a_thread_that_executes_a_program_returns_as_its_leader),
	with_fixture(what_is_lost_is_said),
	with_fixture(tasks_have_one_state_after_another),
	with_fixture(pids_are_used_again),
	with_fixture(switches_that_were_not_recorded_are_noticed),
	with_fixture(states_that_an_unseen_cpu_can_end_are_unknown),
	with_fixture(threads_of_a_cpu_stay_there),
	with_fixture(states_are_known_from_when_all_cpus_are_read),
	with_fixture(waiting_tasks_are_counted_on_their_cpus),
	cmocka_unit_test(kinds_are_found_by_name),
};

T_MAIN(tests)
