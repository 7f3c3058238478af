// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdio.h>

#include "derive/calls/func_exits.h"
#include "derive/calls/func_graph.h"

/*
 * The same calls as entries and exits and as exits alone. Functions are at 0x1000, 0x2000
 * and so on: a, b, c ...; interrupts begin with i; irq_enter and irq_exit are E and X;
 * handle_softirqs and do_softirq, which calls it in a task, are S and D.
 */
static const struct {
	const char *name;
	uint64_t addr;
} symbols[] = {
	{"a", 0x1000},
	{"b", 0x2000},
	{"c", 0x3000},
	{"__irqentry_text_start", 0x4000},
	{"i", 0x4010},
	{"__irqentry_text_end", 0x5000},
	{"irq_enter", 0x6000},
	{"irq_exit_rcu", 0x7000},
	{"handle_softirqs", 0x8000},
	{"do_softirq", 0x9000},
};

struct fixture {
	struct kft_symbol_table table;
	struct kft_intern names;
	struct kft_func_names funcs;
	struct kft_offcpu off;
	struct kft_nest *nest;
	struct kft_func_orphans orphans;
	struct kft_func_graph graph;
	struct kft_func_exits exits;
	char told[4096];
};

static void tell(struct fixture *f, const char *fmt, ...) __printf_fmt(2, 3);
static void tell(struct fixture *f, const char *fmt, ...)
{
	size_t len = strlen(f->told);
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(f->told + len, sizeof(f->told) - len, fmt, ap);
	va_end(ap);
}

static const char *name_of(struct fixture *f, uint32_t func)
{
	return func == KFT_INTERN_NONE ? "-" : kft_intern_text(&f->names, func);
}

/* "b<a pid.cpu 20/5/3; ": b, called by a, took 20, 5 itself, 3 of these on a CPU. */
static int on_leave(void *arg, const struct kft_nested *n)
{
	struct fixture *f = arg;

	tell(f, "%s<%s %d.%d ", name_of(f, n->call.func),
	     n->parent ? name_of(f, n->parent->call.func) : "-", n->call.pid,
	     n->call.cpu);
	if (n->call.end == KFT_CALL_ENDED)
		tell(f, "%d/%d/%d; ", (int)n->call.dur_ns, (int)kft_nested_local_ns(n),
		     (int)kft_nested_on_local_ns(n));
	else
		tell(f, "open; ");
	if (n->missing)
		tell(f, "%u missing; ", n->missing);
	return 0;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct kft_nest_sink sink = {.leave = on_leave, .arg = f};

	assert_non_null(f);
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		struct kft_symbol s = {.addr = symbols[i].addr,
				       .name = symbols[i].name,
				       .name_len = strlen(symbols[i].name)};

		assert_int_equal(kft_symbol_table_add(&f->table, &s), 0);
	}
	kft_symbol_table_sort(&f->table);
	kft_func_names_init(&f->funcs, &f->table, &f->names);
	f->orphans.symbols = &f->table;
	assert_int_equal(kft_nest_create(&sink, &f->nest), 0);
	f->off.keep_spans = true;
	f->graph = (struct kft_func_graph){.nest = f->nest,
					   .names = &f->funcs,
					   .off = &f->off,
					   .orphans = &f->orphans};
	f->exits = (struct kft_func_exits){.names = &f->funcs, .off = &f->off};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	kft_func_exits_finish(&f->exits);
	kft_func_graph_finish(&f->graph);
	kft_func_orphans_finish(&f->orphans);
	f->nest = kft_nest_destroy(f->nest);
	kft_offcpu_finish(&f->off);
	kft_func_names_finish(&f->funcs);
	kft_intern_finish(&f->names);
	kft_symbol_table_finish(&f->table);
	free(f);
	return 0;
}

static uint64_t addr_of(char name)
{
	switch (name) {
	case 'i':
		return 0x4010;
	case 'E':
		return 0x6000;
	case 'X':
		return 0x7000;
	case 'S':
		return 0x8000;
	case 'D':
		return 0x9000;
	default:
		return 0x1000 * (uint64_t)(name - 'a' + 1);
	}
}

struct record {
	char kind; /* '(' entry, ')' exit, 's' switch from pid to depth, 'l' lost */
	uint64_t ts;
	int pid;
	char name;
	uint32_t depth;
	uint64_t since; /* of an exit */
	enum kft_func_context context;
	bool is_late;
	uint32_t overrun;
};

static struct kft_func_event event_of(const struct record *r)
{
	if (r->kind == 'l')
		return (struct kft_func_event){};
	if (r->kind == 's')
		return (struct kft_func_event){.kind = KFT_FUNC_EVENT_SWITCH,
					       .pid = r->pid,
					       .prev = r->pid,
					       .next = r->depth};
	return (struct kft_func_event){
		.kind = r->kind == '(' ? KFT_FUNC_EVENT_ENTRY : KFT_FUNC_EVENT_EXIT,
		.pid = r->pid,
		.context = r->context,
		.func = addr_of(r->name) + 4, /* behind the landing pad, as on x86 */
		.depth = r->depth,
		/* The tracer's clock is behind that of the buffer. */
		.call_ns = r->since + 100000,
		.return_ns = r->ts + 100000,
		.overrun = r->overrun,
		.is_late = r->is_late,
	};
}

static void feed_graph(struct fixture *f, const struct record *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct kft_func_event fe = event_of(&r[i]);

		assert_int_equal(kft_func_orphans_feed(&f->orphans, r[i].ts, 0, &fe), 0);
	}
	kft_func_orphans_settle(&f->orphans);
	for (size_t i = 0; i < n; i++) {
		struct kft_func_event fe = event_of(&r[i]);

		f->graph.losses += r[i].kind == 'l';
		assert_int_equal(kft_func_graph_feed(&f->graph, r[i].ts, 0, &fe), 0);
	}
	assert_int_equal(kft_nest_flush(f->nest), 0);
}

static void feed_exits(struct fixture *f, const struct record *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct kft_func_event fe = event_of(&r[i]);

		f->exits.losses += r[i].kind == 'l';
		if (r[i].kind != '(')
			assert_int_equal(kft_func_exits_feed(&f->exits, r[i].ts, 0, &fe),
					 0);
	}
	assert_int_equal(kft_func_exits_nest(&f->exits, f->nest), 0);
}

#define GRAPH(f, r) feed_graph(f, r, ARRAY_SIZE(r))
#define EXITS(f, r) feed_exits(f, r, ARRAY_SIZE(r))

/* a calls b, b sleeps for 50, then a calls c. */
static const struct record sleeping[] = {
	{'(', 1000, 7, 'a', 0},	      {'(', 1010, 7, 'b', 1},
	{'s', 1020, 7, 0, 8},	      {'(', 1030, 8, 'c', 0},
	{')', 1040, 8, 'c', 0, 1030}, {'s', 1070, 8, 0, 7},
	{')', 1080, 7, 'b', 1, 1010}, {'(', 1085, 7, 'c', 1},
	{')', 1090, 7, 'c', 1, 1085}, {')', 1100, 7, 'a', 0, 1000},
};

static const char sleeping_told[] = "c<- 8.0 10/10/10; b<a 7.0 70/70/20; c<a 7.0 5/5/5; "
				    "a<- 7.0 100/25/25; ";

static void calls_nest_by_depth_and_sleep_is_no_work(void **state)
{
	struct fixture *f = *state;

	GRAPH(f, sleeping);
	assert_string_equal(f->told, sleeping_told);
}

static void exits_alone_say_the_same(void **state)
{
	struct fixture *f = *state;

	EXITS(f, sleeping);
	assert_string_equal(f->told, "b<a 7.0 70/70/20; c<- 8.0 10/10/10; c<a 7.0 5/5/5; "
				     "a<- 7.0 100/25/25; ");
}

/* The run ends in c, which b called: calls that ended before keep their durations. */
static const struct record cut[] = {
	{'(', 1000, 7, 'b', 0},
	{'(', 1010, 7, 'a', 1},
	{')', 1020, 7, 'a', 1, 1010},
	{'(', 1030, 7, 'c', 1},
	{')', 1070, 7, 'c', 1, 1030, KFT_FUNC_IN_TASK, true},
	{')', 1080, 7, 'b', 0, 1000, KFT_FUNC_IN_TASK, true},
};

static const char cut_told[] = "a<b 7.0 10/10/10; c<b 7.0 open; b<- 7.0 open; ";

static void what_ends_after_the_run_is_open(void **state)
{
	struct fixture *f = *state;

	GRAPH(f, cut);
	assert_string_equal(f->told, cut_told);
}

static void so_it_is_by_exits_alone(void **state)
{
	struct fixture *f = *state;

	EXITS(f, cut);
	assert_string_equal(f->told, cut_told);
}

/* In a, an interrupt (i, E, X) and a softirq in X that a second interrupt interrupts. */
static const struct record interrupts[] = {
	{'(', 1000, 7, 'a', 0},
	{'(', 1010, 7, 'i', 1},
	{'(', 1011, 7, 'E', 2},
	{')', 1012, 7, 'E', 2, 1011, KFT_FUNC_IN_HARDIRQ},
	{'(', 1013, 7, 'b', 2, 0, KFT_FUNC_IN_HARDIRQ},
	{')', 1014, 7, 'b', 2, 1013, KFT_FUNC_IN_HARDIRQ},
	{')', 1015, 7, 'i', 1, 1010},
	{'(', 1020, 7, 'X', 1, 0, KFT_FUNC_IN_HARDIRQ},
	{'(', 1021, 7, 'b', 2, 0, KFT_FUNC_IN_SOFTIRQ},
	{'(', 1022, 7, 'c', 3, 0, KFT_FUNC_IN_SOFTIRQ},
	{')', 1024, 7, 'c', 3, 1022, KFT_FUNC_IN_SOFTIRQ},
	{')', 1027, 7, 'b', 2, 1021, KFT_FUNC_IN_SOFTIRQ},
	{')', 1030, 7, 'X', 1, 1020},
	{')', 1100, 7, 'a', 0, 1000},
};

/* Interrupts are no callees of a; their 15 ns are a's local time, but not its work. */
static const char interrupts_told[] =
	"irq_enter<i -1.0 1/1/1; b<i -1.0 1/1/1; i<- -1.0 5/3/3; c<b -1.0 2/2/2; "
	"b<irq_exit_rcu -1.0 6/4/4; irq_exit_rcu<- -1.0 10/4/4; a<- 7.0 100/100/85; ";

static void interrupts_are_nobodys_callees(void **state)
{
	struct fixture *f = *state;

	GRAPH(f, interrupts);
	assert_string_equal(f->told, interrupts_told);
}

static void interrupts_by_exits_alone(void **state)
{
	struct fixture *f = *state;

	EXITS(f, interrupts);
	assert_string_equal(f->told, interrupts_told);
}

/* Neither i nor any function of the section can be traced, as on x86 since 5.8. */
static void interrupts_that_begin_unseen(void **state)
{
	static const struct record records[] = {
		{'(', 1000, 7, 'a', 0},
		{'(', 1010, 7, 'E', 1},
		{')', 1012, 7, 'E', 1, 1010, KFT_FUNC_IN_HARDIRQ},
		{'(', 1013, 7, 'b', 1, 0, KFT_FUNC_IN_HARDIRQ},
		{')', 1015, 7, 'b', 1, 1013, KFT_FUNC_IN_HARDIRQ},
		{')', 1100, 7, 'a', 0, 1000},
	};
	struct fixture *f = *state;

	GRAPH(f, records);
	assert_string_equal(f->told, "irq_enter<- -1.0 2/2/2; b<- -1.0 2/2/2; "
				     "a<- 7.0 100/100/96; ");
}

/*
 * Softirqs are not skipped together with hard interrupts, and the function that runs them is
 * recorded in the context of the interrupted code.
 */
static const struct record softirqs[] = {
	{'(', 1000, 7, 'a', 0},
	{'(', 1010, 7, 'S', 1},
	{'(', 1021, 7, 'b', 2, 0, KFT_FUNC_IN_SOFTIRQ},
	{')', 1027, 7, 'b', 2, 1021, KFT_FUNC_IN_SOFTIRQ},
	{')', 1030, 7, 'S', 1, 1010},
	{'(', 1040, 7, 'D', 1},
	{'(', 1041, 7, 'S', 2},
	{')', 1048, 7, 'S', 2, 1041},
	{')', 1050, 7, 'D', 1, 1040},
	{')', 1100, 7, 'a', 0, 1000},
};

static const char softirqs_told[] =
	"b<handle_softirqs -1.0 6/6/6; handle_softirqs<- -1.0 20/14/14; "
	"handle_softirqs<do_softirq -1.0 7/7/7; do_softirq<a 7.0 10/3/3; "
	"a<- 7.0 100/90/70; ";

static void softirqs_are_no_callees_of_what_they_interrupt(void **state)
{
	struct fixture *f = *state;

	GRAPH(f, softirqs);
	assert_string_equal(f->told, softirqs_told);
}

static void softirqs_by_exits_alone(void **state)
{
	struct fixture *f = *state;

	EXITS(f, softirqs);
	assert_string_equal(f->told, softirqs_told);
}

static void lost_exits_leave_calls_open(void **state)
{
	static const struct record records[] = {
		{'(', 1000, 7, 'a', 0},	      {'(', 1010, 7, 'b', 1},
		{'(', 1020, 7, 'c', 2}, /* exits of c and b are lost */
		{'(', 1030, 7, 'c', 1},	      {')', 1040, 7, 'c', 1, 1030},
		{')', 1100, 7, 'a', 0, 1000},
	};
	struct fixture *f = *state;

	GRAPH(f, records);
	assert_string_equal(f->told, "c<b 7.0 open; b<a 7.0 open; c<a 7.0 10/10/10; "
				     "a<- 7.0 100/90/90; ");
}

static void lost_entries_leave_callers_unknown(void **state)
{
	static const struct record records[] = {
		{')', 1005, 7, 'b', 1, 990}, /* entered before the trace */
		{'(', 1010, 7, 'a', 0},	      {'l'}, /* the entry at depth 1 */
		{'(', 1020, 7, 'c', 2},	      {')', 1030, 7, 'c', 2, 1020},
		{')', 1040, 7, 'b', 1, 1015}, {')', 1050, 7, 'a', 0, 1010},
	};
	struct fixture *f = *state;

	GRAPH(f, records);
	assert_string_equal(f->told,
			    "b<- 7.0 15/15/15; c<b 7.0 10/10/10; b<a 7.0 25/15/15; "
			    "a<- 7.0 40/15/15; ");
}

/* Neither the entry nor the exit of c's caller is recorded: the caller is unknown. */
static const struct record lost_callers[] = {
	{'(', 1010, 7, 'a', 0},	      {'l'}, {'(', 1020, 7, 'c', 2},
	{')', 1030, 7, 'c', 2, 1020}, {'l'}, {')', 1050, 7, 'a', 0, 1010},
};

static void callers_that_may_be_lost_are_not_known(void **state)
{
	struct fixture *f = *state;

	GRAPH(f, lost_callers);
	assert_string_equal(f->told, "c<- 7.0 10/10/10; a<- 7.0 40/40/40; ");
}

static void callers_that_may_be_lost_by_exits_alone(void **state)
{
	struct fixture *f = *state;

	EXITS(f, lost_callers);
	assert_string_equal(f->told, "c<- 7.0 10/10/10; a<- 7.0 40/40/40; ");
}

/* Another session traces a function between a and b, and one between b and c. */
static const struct record gaps[] = {
	{'(', 1000, 7, 'a', 1},	      {'(', 1010, 7, 'b', 3},
	{'(', 1020, 7, 'c', 5},	      {')', 1030, 7, 'c', 5, 1020},
	{')', 1040, 7, 'b', 3, 1010}, {'(', 1050, 7, 'c', 2},
	{')', 1060, 7, 'c', 2, 1050}, {')', 1100, 7, 'a', 1, 1000},
};

static const char gaps_told[] = "c<b 7.0 10/10/10; b<a 7.0 30/20/20; c<a 7.0 10/10/10; "
				"a<- 7.0 100/60/60; ";

static void other_sessions_functions_are_passed_over(void **state)
{
	struct fixture *f = *state;

	GRAPH(f, gaps);
	assert_string_equal(f->told, gaps_told);
}

static void other_sessions_functions_by_exits_alone(void **state)
{
	struct fixture *f = *state;

	EXITS(f, gaps);
	assert_string_equal(f->told, gaps_told);
}

/* The trace begins within c, which b called, which a called. */
static void calls_under_way_at_the_start_are_entered_when_they_were(void **state)
{
	static const struct record records[] = {
		{')', 1030, 7, 'c', 2, 1020}, {'(', 1040, 7, 'c', 2},
		{')', 1045, 7, 'c', 2, 1040}, {')', 1050, 7, 'b', 1, 1010},
		{'(', 1055, 7, 'b', 1},	      {')', 1060, 7, 'b', 1, 1055},
		{')', 1100, 7, 'a', 0, 900},
	};
	struct fixture *f = *state;

	GRAPH(f, records);
	assert_string_equal(f->told, "c<b 7.0 10/10/10; c<b 7.0 5/5/5; b<a 7.0 40/25/25; "
				     "b<a 7.0 5/5/5; a<- 7.0 200/155/155; ");
	assert_int_equal(f->graph.start_ns, 900);
}

/* The return of a is recorded late, so that a seems to be entered after b, its callee. */
static void records_that_come_late_do_not_change_who_called(void **state)
{
	struct fixture *f = *state;
	struct record r[] = {
		{'(', 1005, 7, 'b', 1},
		{')', 1010, 7, 'b', 1, 1005},
		{')', 1100, 7, 'a', 0, 1000},
	};
	struct kft_func_event fe;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < ARRAY_SIZE(r); i++) {
			fe = event_of(&r[i]);
			uint64_t ts = r[i].name == 'a' ? 1150 : r[i].ts;

			assert_int_equal(
				pass ? kft_func_graph_feed(&f->graph, ts, 0, &fe)
				     : kft_func_orphans_feed(&f->orphans, ts, 0, &fe),
				0);
		}
		kft_func_orphans_settle(&f->orphans);
	}
	assert_string_equal(f->told, "b<a 7.0 5/5/5; a<- 7.0 100/95/95; ");
}

/* An interrupt came when b had returned, and before that was recorded. */
static void interrupts_may_come_before_the_record_of_a_return(void **state)
{
	struct fixture *f = *state;
	struct record r[] = {
		{'(', 1000, 7, 'a', 0},
		{'(', 1010, 7, 'b', 1},
		{'(', 1020, 7, 'E', 1},
		{')', 1021, 7, 'E', 1, 1020, KFT_FUNC_IN_HARDIRQ},
		{'(', 1022, 7, 'c', 1, 0, KFT_FUNC_IN_HARDIRQ},
		{')', 1050, 7, 'c', 1, 1022, KFT_FUNC_IN_HARDIRQ},
		{')', 1012, 7, 'b', 1, 1010},
		{')', 1100, 7, 'a', 0, 1000},
	};
	struct kft_func_event fe;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < ARRAY_SIZE(r); i++) {
			fe = event_of(&r[i]);
			uint64_t ts = r[i].name == 'b' && i > 1 ? 1055 : r[i].ts;

			assert_int_equal(
				pass ? kft_func_graph_feed(&f->graph, ts, 0, &fe)
				     : kft_func_orphans_feed(&f->orphans, ts, 0, &fe),
				0);
		}
		kft_func_orphans_settle(&f->orphans);
	}
	assert_string_equal(f->told, "irq_enter<- -1.0 1/1/1; c<- -1.0 28/28/28; "
				     "b<a 7.0 2/2/2; a<- 7.0 100/98/69; ");
}

/* b returns, and is preempted before that is recorded: its record is 65 late. */
static const struct record preempted[] = {
	{'(', 1000, 7, 'a', 0},	      {'(', 1010, 7, 'c', 1},
	{')', 1015, 7, 'c', 1, 1010}, {'(', 1020, 7, 'b', 1},
	{'s', 1050, 7, 0, 8},	      {'s', 1100, 8, 0, 7},
	{')', 1110, 7, 'b', 1, 1020}, {')', 1130, 7, 'a', 0, 1000},
};

/* b took 25 on its CPU, from 1020 to 1045; its caller a was preempted, for 50. */
static void preemption_after_the_return_is_none_of_the_calls(void **state)
{
	struct fixture *f = *state;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < ARRAY_SIZE(preempted); i++) {
			const struct record *r = &preempted[i];
			struct kft_func_event fe = event_of(r);

			if (r->kind == ')' && r->name == 'b')
				fe.return_ns -= 65;
			assert_int_equal(
				pass ? kft_func_graph_feed(&f->graph, r->ts, 0, &fe)
				     : kft_func_orphans_feed(&f->orphans, r->ts, 0, &fe),
				0);
		}
		kft_func_orphans_settle(&f->orphans);
	}
	assert_string_equal(f->told, "c<a 7.0 5/5/5; b<a 7.0 25/25/25; "
				     "a<- 7.0 130/100/50; ");
}

static const struct record too_deep[] = {
	{'(', 1000, 7, 'a', 48},
	{'(', 1010, 7, 'b', 49},
	{')', 1080, 7, 'b', 49, 1010, .overrun = 150},
	{')', 1090, 7, 'a', 48, 1000, .overrun = 150},
};

static const char too_deep_told[] = "b<a 7.0 70/70/70; 150 missing; a<- 7.0 90/20/20; ";

static void calls_that_the_return_stack_has_no_room_for_are_counted(void **state)
{
	struct fixture *f = *state;

	GRAPH(f, too_deep);
	assert_string_equal(f->told, too_deep_told);
	assert_int_equal(f->graph.overruns.count, 150);
}

static void too_deep_calls_by_exits_alone(void **state)
{
	struct fixture *f = *state;

	EXITS(f, too_deep);
	assert_string_equal(f->told, too_deep_told);
	assert_int_equal(f->exits.overruns.count, 150);
}

static void idle_tasks_have_a_stack_for_each_cpu(void **state)
{
	struct fixture *f = *state;
	struct record a = {'(', 1000, 0, 'a', 0};
	struct record b = {'(', 1010, 0, 'b', 0};
	struct kft_func_event fe = event_of(&a);

	assert_int_equal(kft_func_graph_feed(&f->graph, a.ts, 0, &fe), 0);
	fe = event_of(&b);
	assert_int_equal(kft_func_graph_feed(&f->graph, b.ts, 1, &fe), 0);
	assert_int_equal(kft_nest_top(f->nest, 0, 0)->depth, 0);
	assert_non_null(kft_nest_top(f->nest, 0, 1));
	assert_string_equal(f->told, "");
}

static void broken_depths_are_passed_over(void **state)
{
	static const struct record records[] = {
		{'(', 1000, 7, 'a', UINT32_MAX},
		{')', 1001, 7, 'a', UINT32_MAX, 1000},
		{')', 1002, 7, 'a', KFT_NEST_DEPTH_MAX + 1, 1000},
	};
	struct fixture *f = *state;

	GRAPH(f, records);
	EXITS(f, records);
	assert_string_equal(f->told, "");
}

static void the_function_tracer_knows_callers_but_no_ends(void **state)
{
	struct fixture *f = *state;
	struct kft_func_event a = {.kind = KFT_FUNC_EVENT_CALL, .pid = 7, .func = 0x1004};
	struct kft_func_event b = {
		.kind = KFT_FUNC_EVENT_CALL, .pid = 7, .func = 0x2004, .caller = 0x1040};

	assert_int_equal(kft_func_graph_feed(&f->graph, 10, 0, &a), 0);
	assert_int_equal(kft_func_graph_feed(&f->graph, 20, 0, &b), 0);
	assert_int_equal(kft_nest_flush(f->nest), 0);
	assert_string_equal(f->told, "b<a 7.0 open; a<- 7.0 open; ");
}

static void addresses_without_a_symbol_are_shown(void **state)
{
	struct fixture *f = *state;
	struct kft_func func;
	struct kft_func again;

	assert_int_equal(kft_func_names_get(&f->funcs, 0x10, &func), 0);
	assert_string_equal(kft_intern_text(&f->names, func.name), "0x10");
	assert_int_equal(kft_func_names_get(&f->funcs, 0xffffffff81000000, &func), 0);
	assert_string_equal(kft_intern_text(&f->names, func.name), "0xffffffff81000000");
	assert_int_equal(kft_func_names_get(&f->funcs, UINT64_MAX, &func), 0);
	assert_int_equal(kft_func_names_get(&f->funcs, 0x6004, &func), 0);
	assert_true(func.irq == KFT_IRQ_NAME_ENTERS && !func.begins_irq);
	assert_int_equal(kft_func_names_get(&f->funcs, 0x6004, &again), 0);
	assert_memory_equal(&func, &again, sizeof(func));
}

#define with_fixture(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	with_fixture(calls_nest_by_depth_and_sleep_is_no_work),
	with_fixture(exits_alone_say_the_same),
	with_fixture(what_ends_after_the_run_is_open),
	with_fixture(so_it_is_by_exits_alone),
	with_fixture(interrupts_are_nobodys_callees),
	with_fixture(interrupts_by_exits_alone),
	with_fixture(interrupts_that_begin_unseen),
	with_fixture(softirqs_are_no_callees_of_what_they_interrupt),
	with_fixture(softirqs_by_exits_alone),
	with_fixture(lost_exits_leave_calls_open),
	with_fixture(lost_entries_leave_callers_unknown),
	with_fixture(callers_that_may_be_lost_are_not_known),
	with_fixture(callers_that_may_be_lost_by_exits_alone),
	with_fixture(other_sessions_functions_are_passed_over),
	with_fixture(other_sessions_functions_by_exits_alone),
	with_fixture(calls_under_way_at_the_start_are_entered_when_they_were),
	with_fixture(records_that_come_late_do_not_change_who_called),
	with_fixture(interrupts_may_come_before_the_record_of_a_return),
	with_fixture(preemption_after_the_return_is_none_of_the_calls),
	with_fixture(calls_that_the_return_stack_has_no_room_for_are_counted),
	with_fixture(too_deep_calls_by_exits_alone),
	with_fixture(idle_tasks_have_a_stack_for_each_cpu),
	with_fixture(broken_depths_are_passed_over),
	with_fixture(the_function_tracer_knows_callers_but_no_ends),
	with_fixture(addresses_without_a_symbol_are_shown),
};

T_MAIN(tests)
