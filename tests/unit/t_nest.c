// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "derive/calls/nest.h"

/* The calls of the sink as text. Letters are numbers of functions: 'a' is 0. */
static char told[4096];

static void tell(const char *fmt, ...) __printf_fmt(1, 2);
static void tell(const char *fmt, ...)
{
	size_t len = strlen(told);
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(told + len, sizeof(told) - len, fmt, ap);
	va_end(ap);
}

/* "a(b:2" : a was entered, its parent is b, two levels deep. */
static int on_enter(void *arg, const struct kft_nested *n)
{
	tell("%c(", 'a' + (int)n->call.func);
	if (n->parent)
		tell("%c:%u", 'a' + (int)n->parent->call.func, n->depth);
	tell(" ");
	return 0;
}

/* ")a-20" : a was left, 20 ns were its own; "~": its end is not known. */
static int on_leave(void *arg, const struct kft_nested *n)
{
	tell(")%c", 'a' + (int)n->call.func);
	if (n->call.end == KFT_CALL_ENDED)
		tell("-%d", (int)kft_nested_local_ns(n));
	else
		tell("~");
	if (!n->inner)
		tell("=%d", (int)n->span_ns);
	tell(" ");
	return 0;
}

static struct kft_nest *nest;

static int setup(void **state)
{
	struct kft_nest_sink sink = {.enter = on_enter, .leave = on_leave};

	*told = '\0';
	return kft_nest_create(&sink, &nest);
}

static int teardown(void **state)
{
	nest = kft_nest_destroy(nest);
	return 0;
}

/* dur < 0: the exit was not seen. */
static void add(uint64_t entry, int64_t dur, int pid, int cpu, char func, char caller)
{
	struct kft_call call = {
		.entry_ns = entry,
		.dur_ns = dur < 0 ? 0 : dur,
		.end = dur < 0 ? KFT_CALL_OPEN : KFT_CALL_ENDED,
		.pid = pid,
		.cpu = cpu,
		.func = func - 'a',
		.caller = caller ? (uint32_t)(caller - 'a') : KFT_INTERN_NONE,
	};

	assert_int_equal(kft_nest_add(nest, &call), 0);
}

static void expect(const char *text)
{
	assert_int_equal(kft_nest_flush(nest), 0);
	assert_string_equal(told, text);
}

static void calls_nest_by_caller_and_time(void **state)
{
	add(0, 100, 1, 0, 'a', 'x');
	add(10, 20, 1, 0, 'b', 'a');
	add(15, 5, 1, 0, 'c', 'b');
	add(40, 10, 1, 0, 'b', 'a');
	add(200, 5, 1, 0, 'c', 'a');
	expect("a( b(a:1 c(b:2 )c-5=5 )b-15=20 b(a:1 )b-10=10 )a-70=100 c( )c-5=5 ");
}

/* At the resolution of the log, a call ends when the next one begins. */
static void what_ends_now_can_still_call(void **state)
{
	add(10, 0, 1, 0, 'a', 'x');
	add(10, 0, 1, 0, 'b', 'a');
	add(10, 7, 1, 0, 'c', 'x');
	add(17, 1, 1, 0, 'b', 'c');
	expect("a( b(a:1 c( b(c:1 )b-1=1 )c-6=7 )b-0=0 )a-0=0 ");
}

static void tasks_do_not_mix(void **state)
{
	add(0, 100, 1, 0, 'a', 'x');
	add(10, 10, 2, 0, 'b', 'a');
	add(20, 10, KFT_CALL_IN_INTERRUPT, 0, 'c', 'a');
	add(30, 10, 0, 0, 'd', 'x');
	add(31, 5, 0, 1, 'b', 'd');
	add(32, 5, 0, 0, 'b', 'd');
	assert_int_equal(kft_nest_flush(nest), 0);
	assert_non_null(strstr(told, "b( c( d( b( b(d:1 "));
}

static void a_call_without_end_ends_when_its_caller_goes_on(void **state)
{
	add(0, 100, 1, 0, 'a', 'x');
	add(10, -1, 1, 0, 'b', 'a');
	add(20, 5, 1, 0, 'c', 'b');
	add(50, 10, 1, 0, 'd', 'a');
	/* The caller of c is b, which has ended already. */
	add(55, 2, 1, 0, 'c', 'b');
	expect("a( b(a:1 c(b:2 )c-5=5 )b~=0 d(a:1 c( )c-2=2 )d-10=10 )a-90=100 ");
}

static void calls_without_end_do_not_pile_up(void **state)
{
	for (uint64_t t = 0; t < 3; t++)
		add(t, -1, 1, 0, 'a', 'x');
	expect("a( )a~=0 a( )a~=0 a( )a~=0 ");
}

/* x calls a, which (not seen) calls x again: a( goes on. */
static void a_caller_that_is_called_again_ends_nothing(void **state)
{
	add(0, -1, 1, 0, 'a', 'x');
	add(10, 100, 1, 0, 'b', 'a');
	add(20, 5, 1, 0, 'a', 'x');
	add(30, 5, 1, 0, 'c', 'b');
	expect("a( b(a:1 a( )a-5 c(b:2 )c-5=5 )b-95=100 )a~=5 ");
}

static void recursion_counts_once(void **state)
{
	add(0, 100, 1, 0, 'a', 'x');
	add(10, 80, 1, 0, 'b', 'a');
	add(20, 60, 1, 0, 'a', 'b');
	add(30, 20, 1, 0, 'a', 'a');
	expect("a( b(a:1 a(b:2 a(a:3 )a-20 )a-40 )b-20=80 )a-20=100 ");
}

/* A recursive call with an unknown end counts with the time of its inner calls. */
static void recursion_below_an_unknown_end(void **state)
{
	add(0, -1, 1, 0, 'a', 'x');
	add(10, 30, 1, 0, 'a', 'a');
	add(50, 20, 1, 0, 'a', 'a');
	add(55, 5, 1, 0, 'a', 'a');
	expect("a( a(a:1 )a-30 a(a:1 a(a:2 )a-5 )a-15 )a~=50 ");
}

static void two_calls_at_one_moment_are_no_recursion(void **state)
{
	add(10, 0, 1, 0, 'a', 'x');
	add(10, 5, 1, 0, 'a', 'x');
	expect("a( a( )a-5=5 )a-0=0 ");
}

static void stacks_have_a_limit(void **state)
{
	for (uint64_t i = 0; i < KFT_NEST_DEPTH_MAX + 100; i++) {
		*told = '\0';
		add(i, 1000000, 1, 0, 'a', 'a');
	}
	assert_string_equal(told, "a(a:256 )a-1000000=1000000 ");
	*told = '\0';
	assert_int_equal(kft_nest_flush(nest), 0);
}

static void entries_and_exits_by_hand(void **state)
{
	struct kft_call call = {
		.entry_ns = 5, .end = KFT_CALL_OPEN, .pid = -1, .func = 0};
	struct kft_nested *a;
	struct kft_nested *b;

	assert_null(kft_nest_top(nest, 7, 0));
	assert_int_equal(kft_nest_push(nest, 7, 0, &call, true, &a), 0);
	assert_null(a->parent);
	call.func = 1;
	assert_int_equal(kft_nest_push(nest, 7, 0, &call, true, &b), 0);
	assert_ptr_equal(b->parent, a);
	assert_ptr_equal(kft_nest_top(nest, 7, 0), b);
	/* A task keeps its call stack when it moves to another CPU. */
	assert_ptr_equal(kft_nest_top(nest, 7, 1), b);
	b->call.end = KFT_CALL_ENDED;
	b->call.dur_ns = 3;
	assert_int_equal(kft_nest_pop(nest, b), 0);
	assert_int_equal(a->children_ns, 3);
	expect("a( b(a:1 )b-3=3 )a~=0 ");
}

static int fails(void *arg, const struct kft_nested *n)
{
	return -EDOM;
}

static void errors_of_the_sink_come_back(void **state)
{
	struct kft_nest_sink sink = {.leave = fails};
	struct kft_call call = {.end = KFT_CALL_ENDED, .pid = 1, .caller = 1};
	struct kft_nest *failing;

	assert_int_equal(kft_nest_create(&sink, &failing), 0);
	assert_int_equal(kft_nest_add(failing, &call), 0);
	call.entry_ns = 5;
	assert_int_equal(kft_nest_add(failing, &call), -EDOM);
	failing = kft_nest_destroy(failing);
}

#define with_nest(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	with_nest(calls_nest_by_caller_and_time),
	with_nest(what_ends_now_can_still_call),
	with_nest(tasks_do_not_mix),
	with_nest(a_call_without_end_ends_when_its_caller_goes_on),
	with_nest(calls_without_end_do_not_pile_up),
	with_nest(a_caller_that_is_called_again_ends_nothing),
	with_nest(recursion_counts_once),
	with_nest(recursion_below_an_unknown_end),
	with_nest(two_calls_at_one_moment_are_no_recursion),
	with_nest(stacks_have_a_limit),
	with_nest(entries_and_exits_by_hand),
	cmocka_unit_test(errors_of_the_sink_come_back),
};

T_MAIN(tests)
