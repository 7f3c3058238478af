// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdio.h>

#include "derive/engine/engine.h"
#include "fake_trace.h"
#include "watch/cause.h"
#include "watch/in_kernel.h"
#include "watch/match.h"

enum { IRQ_IN = 1, IRQ_OUT, FORK, EXEC };

static const char *const formats[][2] = {
	{"irq", FORMAT("irq_handler_entry", "1", FIELD("irq", "8"))},
	{"irq", FORMAT("irq_handler_exit", "2", FIELD("irq", "8") FIELD("ret", "12"))},
	{"sched", FORMAT("sched_process_fork", "3", FIELD("child_pid", "8"))},
	{"sched", FORMAT("sched_process_exec", "4", FIELD("pid", "8"))},
};

struct record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	int32_t fields[2];
};

struct fixture {
	struct kft_trace *trace;
	struct kft_condition c;
	struct kft_match *match;
	char told[256];
};

static int tell(void *arg, const struct kft_seen *seen)
{
	struct fixture *f = arg;
	size_t len = strlen(f->told);

	(void)snprintf(f->told + len, sizeof(f->told) - len, "%u %s; ",
		       (unsigned int)seen->ts, seen->why);
	return 0;
}

/* A condition of a trace that begins at 100. */
static void begin(struct fixture *f, const char *condition)
{
	const struct kft_conditions one = {&f->c, 1};

	f->trace = fake_trace_of(formats, ARRAY_SIZE(formats));
	assert_int_equal(kft_condition_parse(condition, &f->c, NULL), 0);
	assert_int_equal(kft_match_create(&one, f->trace, 100, tell, f, &f->match, NULL),
			 0);
}

static void assert_told(struct fixture *f, const char *text)
{
	assert_string_equal(f->told, text);
	kft_match_destroy(f->match);
	kft_condition_finish(&f->c);
	kft_trace_destroy(f->trace);
	*f = (struct fixture){};
}

static void feed(struct fixture *f, uint64_t ts, uint16_t id, uint8_t flags, int32_t pid,
		 int32_t a)
{
	const struct record r = {.type = id, .flags = flags, .pid = pid, .fields = {a}};
	const struct kft_event ev = {
		.ts = ts, .id = id, .data = (const uint8_t *)&r, .size = sizeof(r)};

	assert_int_equal(kft_match_feed(f->match, &ev), 0);
}

static void intervals_over_a_limit(void **state)
{
	struct fixture f = {};

	begin(&f, "irq:9 > 1us do stop");
	feed(&f, 1000, IRQ_IN, KFT_FLAG_HARDIRQ, 5, 9);
	feed(&f, 2000, IRQ_OUT, KFT_FLAG_HARDIRQ, 5, 9);
	feed(&f, 3000, IRQ_IN, KFT_FLAG_HARDIRQ, 5, 8);
	feed(&f, 9000, IRQ_OUT, KFT_FLAG_HARDIRQ, 5, 8);
	/* The one that interrupts this program is no doing of it. */
	feed(&f, 10000, IRQ_IN, KFT_FLAG_HARDIRQ, getpid(), 9);
	feed(&f, 11001, IRQ_OUT, KFT_FLAG_HARDIRQ, getpid(), 9);
	assert_told(&f, "11001 1.001 us on CPU 0; ");
}

/* One event of the kernel gives the same result as reading along. */
static void what_the_kernel_finds(void **state)
{
	char name[KFT_IN_KERNEL_NAME_MAX];
	char format[1024];
	const char *const found[][2] = {{"synthetic", format}};
	struct fixture f = {};
	struct {
		struct record head;
		uint64_t lat;
		int32_t key;
	} r = {.head = {.type = 9, .flags = KFT_FLAG_HARDIRQ, .pid = getpid()}};
	const struct kft_event ev = {
		.ts = 11001, .id = 9, .data = (const uint8_t *)&r, .size = sizeof(r)};

	kft_in_kernel_name(0, 0, name);
	(void)snprintf(format, sizeof(format),
		       "name: %s\nID: 9\nformat:\n" COMMON
		       "\tfield:u64 lat;\toffset:16;\tsize:8;\tsigned:0;\n" FIELD(
			       "key", "24") END,
		       name);
	const struct kft_conditions one = {&f.c, 1, .in_kernel = true};
	f.trace = fake_trace_of(found, 1);
	assert_int_equal(kft_condition_parse("irq:9 > 1us do stop", &f.c, NULL), 0);
	assert_int_equal(kft_match_create(&one, f.trace, 100, tell, &f, &f.match, NULL),
			 0);
	r.lat = 1001;
	r.key = 8;
	assert_int_equal(kft_match_feed(f.match, &ev), 0);
	r.key = 9;
	assert_int_equal(kft_match_feed(f.match, &ev), 0);
	r.lat = 1000;
	assert_int_equal(kft_match_feed(f.match, &ev), 0);
	assert_told(&f, "11001 1.001 us on CPU 0; ");
}

static void waits_that_the_kernel_finds(void **state)
{
	char formats_text[3][1024];
	const char *found[3][2];
	struct fixture f = {};
	struct {
		struct record head;
		uint64_t lat;
		int32_t key;
	} r = {.head = {.pid = getpid()}, .lat = 2000, .key = 70};
	struct kft_event ev = {.data = (const uint8_t *)&r, .size = sizeof(r)};

	for (size_t i = 0; i < 3; i++) {
		char name[KFT_IN_KERNEL_NAME_MAX];

		kft_in_kernel_name(0, i, name);
		(void)snprintf(formats_text[i], sizeof(formats_text[i]),
			       "name: %s\nID: %zu\nformat:\n" COMMON
			       "\tfield:u64 lat;\toffset:16;\tsize:8;\tsigned:0;\n" FIELD(
				       "key", "24") END,
			       name, 9 + i);
		found[i][0] = "synthetic";
		found[i][1] = formats_text[i];
	}
	const struct kft_conditions one = {&f.c, 1, .in_kernel = true};
	f.trace = fake_trace_of(found, 3);
	assert_int_equal(kft_condition_parse("sched:gone wait > 1us do stop", &f.c, NULL),
			 0);
	assert_int_equal(kft_match_create(&one, f.trace, 100, tell, &f, &f.match, NULL),
			 0);
	for (size_t i = 0; i < 3; i++) {
		ev.ts = 11000 + i * 5000;
		ev.id = r.head.type = 9 + i;
		assert_int_equal(kft_match_feed(f.match, &ev), 0);
	}
	/* The same wait in another way, and one of this process, whoever ran before. */
	ev.ts += 10;
	assert_int_equal(kft_match_feed(f.match, &ev), 0);
	ev.ts += 5000;
	r.key = getpid();
	assert_int_equal(kft_match_feed(f.match, &ev), 0);
	assert_told(&f, "11000 2.000 us on CPU 0; 16000 2.000 us on CPU 0; "
			"21000 2.000 us on CPU 0; ");
}

static void the_kernel_is_asked_for_what_it_can(void **state)
{
	static char own[64];
	static const struct {
		const char *condition;
		const char *begin; /* NULL: it cannot */
		const char *filter;
	} conditions[] = {
		{"irq > 1ms do stop", "irq:irq_handler_entry", NULL},
		{"irq:7 > 1ms do stop", "irq:irq_handler_entry", "irq == 7"},
		{"softirq:NET_RX > 1ms do stop", "irq:softirq_entry", NULL},
		{"syscall > 1ms do stop", "raw_syscalls:sys_enter", own},
		{"syscall:no_such_call > 1ms do stop", NULL, NULL},
		{"block > 1ms do stop", NULL, NULL},
		{"mark:x do stop", NULL, NULL},
		{"sched:my task wait > 1ms do stop", "sched:sched_waking",
		 "next_comm == \"my task\""},
		{"sched:0123456789abcdef wait > 1ms do stop", NULL, NULL},
		{"sched:a\"b wait > 1ms do stop", NULL, NULL},
		{"sched wait > 1ms do stop", NULL, NULL},
		{"task:running > 1ms do stop", NULL, NULL},
	};

	(void)snprintf(own, sizeof(own), "common_pid != %ld", (long)getpid());
	for (size_t i = 0; i < ARRAY_SIZE(conditions); i++) {
		_cleanup_(kft_plan_finish) struct kft_plan p = {};
		struct kft_condition c;
		struct kft_conditions one = {&c, 1, .in_kernel = true};

		assert_int_equal(kft_condition_parse(conditions[i].condition, &c, NULL),
				 0);
		assert_int_equal(kft_match_plan(&one, &p, NULL), 0);
		assert_int_equal(p.n_intervals > 0, conditions[i].begin != NULL);
		assert_int_equal(p.n_events == 0, p.n_intervals > 0);
		if (p.n_intervals)
			assert_string_equal(p.intervals->begin.event,
					    conditions[i].begin);
		if (conditions[i].filter)
			assert_string_equal(p.intervals->end.filter,
					    conditions[i].filter);
		kft_plan_finish(&p);
		one.in_kernel = false;
		assert_int_equal(kft_match_plan(&one, &p, NULL), 0);
		assert_int_equal(p.n_intervals, 0);
		kft_condition_finish(&c);
	}
}

/* Woken, new, or preempted: an event for each, with the task that came to run. */
static void how_a_task_can_wait(void **state)
{
	struct kft_condition c;
	struct kft_conditions one = {&c, 1, .in_kernel = true};
	_cleanup_(kft_plan_finish) struct kft_plan p = {};

	assert_int_equal(kft_condition_parse("sched:x wait > 1us do stop", &c, NULL), 0);
	assert_int_equal(kft_match_plan(&one, &p, NULL), 0);
	assert_int_equal(p.n_intervals, 3);
	assert_string_equal(p.intervals[0].begin.filter, "comm == \"x\"");
	assert_string_equal(p.intervals[0].cancel.event, "sched:sched_switch");
	assert_string_equal(p.intervals[0].cancel.filter,
			    "prev_comm == \"x\" && !(prev_state & 255) && prev_pid != 0");
	assert_string_equal(p.intervals[1].begin.event, "sched:sched_wakeup_new");
	assert_null(p.intervals[1].cancel.event);
	assert_string_equal(p.intervals[2].begin.filter, p.intervals[0].cancel.filter);
	assert_string_equal(p.intervals[2].end.filter, "next_comm == \"x\"");
	kft_condition_finish(&c);
}

static void what_the_program_does_is_no_reason(void **state)
{
	struct fixture f = {};

	begin(&f, "sched:sched_process_exec/pid > 1/ do exec x");
	feed(&f, 1, EXEC, 0, 70, 1);
	feed(&f, 2, EXEC, 0, 70, 2);
	feed(&f, 3, EXEC, 0, getpid(), 2);
	/* A child of it, a child of that one, and then another program of this number. */
	feed(&f, 4, FORK, 0, getpid(), 70);
	feed(&f, 5, EXEC, 0, 70, 2);
	feed(&f, 6, FORK, 0, 70, 71);
	feed(&f, 7, EXEC, 0, 71, 2);
	feed(&f, 8, EXEC, KFT_FLAG_HARDIRQ, 71, 2);
	feed(&f, 9, FORK, 0, 1, 71);
	feed(&f, 10, EXEC, 0, 71, 2);
	assert_told(&f, "2 on CPU 0; 8 on CPU 0; 10 on CPU 0; ");
}

static void time_and_silence(void **state)
{
	struct fixture f = {};

	begin(&f, "50ns do stop");
	assert_int_equal(kft_match_due_ns(f.match), 150);
	assert_int_equal(kft_match_time(f.match, 149), 0);
	assert_int_equal(kft_match_time(f.match, 151), 0);
	assert_int_equal(kft_match_due_ns(f.match), UINT64_MAX);
	assert_int_equal(kft_match_time(f.match, 1000), 0);
	assert_told(&f, "151 the time is over; ");

	begin(&f, "no sched:sched_process_exec/pid == 3/ for 50ns do stop");
	feed(&f, 140, EXEC, 0, 70, 3);
	feed(&f, 180, EXEC, 0, 70, 4);
	assert_int_equal(kft_match_due_ns(f.match), 190);
	assert_int_equal(kft_match_time(f.match, 190), 0);
	assert_int_equal(kft_match_time(f.match, 239), 0);
	assert_int_equal(kft_match_time(f.match, 240), 0);
	assert_told(&f, "190 no event came; 240 no event came; ");
}

static void what_cannot_come_is_refused(void **state)
{
	static const char *const texts[] = {"sched:sched_waking do stop",
					    "softirq > 1s do stop",
					    "sched:sched_process_exec/x > 1/ do stop"};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct fixture f = {};
		struct kft_match *m;
		struct kft_condition c;
		struct kft_err e = {};
		const struct kft_conditions one = {&c, 1};

		begin(&f, "1s do stop");
		assert_int_equal(kft_condition_parse(texts[i], &c, NULL), 0);
		assert_true(kft_match_create(&one, f.trace, 0, tell, &f, &m, &e) < 0);
		assert_int_not_equal(e.msg[0], 0);
		kft_condition_finish(&c);
		assert_told(&f, "");
	}
}

static void causes_say_when(void **state)
{
	const struct kft_seen seen = {.ts = 4711000000002, .why = "7 ms on CPU 0"};
	char text[KFT_WATCH_CAUSE_MAX];
	struct kft_condition c;

	assert_int_equal(kft_condition_parse_when("irq > 5ms", &c, NULL), 0);
	kft_watch_cause(&c, &seen, text);
	assert_string_equal(text, "on irq > 5ms: 7 ms on CPU 0, at 4711.000000002");
	kft_condition_finish(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_over_a_limit),
		cmocka_unit_test(what_the_kernel_finds),
		cmocka_unit_test(the_kernel_is_asked_for_what_it_can),
		cmocka_unit_test(how_a_task_can_wait),
		cmocka_unit_test(waits_that_the_kernel_finds),
		cmocka_unit_test(what_the_program_does_is_no_reason),
		cmocka_unit_test(time_and_silence),
		cmocka_unit_test(what_cannot_come_is_refused),
		cmocka_unit_test(causes_say_when),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
