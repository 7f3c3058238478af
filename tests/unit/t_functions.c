// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "analysis/calls/functions.h"

static struct kft_functions functions;
static struct kft_intern names;
static struct kft_nest *nest;

static int setup(void **state)
{
	struct kft_nest_sink sink;
	uint32_t n;

	functions = (struct kft_functions){};
	names = (struct kft_intern){};
	sink = kft_functions_sink(&functions);
	for (const char *p = "abcd"; *p; p++)
		assert_int_equal(kft_intern(&names, p, 1, &n), 0);
	return kft_nest_create(&sink, &nest);
}

static int teardown(void **state)
{
	nest = kft_nest_destroy(nest);
	kft_functions_finish(&functions);
	kft_intern_finish(&names);
	return 0;
}

/* dur < 0: no end. caller 0: not known. */
static void add(uint64_t entry, int dur, char func, char caller)
{
	struct kft_call call = {
		.entry_ns = entry,
		.dur_ns = dur < 0 ? 0 : dur,
		.end = dur < 0 ? KFT_CALL_OPEN : KFT_CALL_ENDED,
		.pid = 1,
		.func = func - 'a',
		.caller = caller ? (uint32_t)(caller - 'a') : KFT_INTERN_NONE,
	};

	assert_int_equal(kft_nest_add(nest, &call), 0);
}

static const struct kft_func_stat *stat(char func)
{
	kft_vec_for_each(&functions.stats.funcs, f)
		if (f->func == (uint32_t)(func - 'a'))
			return f;
	fail_msg("no function %c", func);
	return NULL;
}

static void times_are_added_up(void **state)
{
	add(0, 100, 'a', 0);
	add(10, 30, 'b', 'a');
	add(50, 10, 'b', 'a');
	add(70, -1, 'b', 'a');
	assert_int_equal(kft_nest_flush(nest), 0);
	const struct kft_func_stat *a = stat('a');
	const struct kft_func_stat *b = stat('b');

	assert_int_equal(a->calls, 1);
	assert_int_equal(a->total_ns, 100);
	assert_int_equal(a->local_ns, 60);
	assert_int_equal(b->calls, 3);
	assert_int_equal(b->timed, 2);
	assert_int_equal(b->total_ns, 40);
	assert_int_equal(b->min_ns, 10);
	assert_int_equal(b->max_ns, 30);
	assert_false(functions.stats.has_off);
}

/* d has the most time of all, but not under a. */
static void the_callee_with_most_time_under_its_caller(void **state)
{
	add(0, 100, 'a', 0);
	add(10, 20, 'b', 'a');
	add(40, 15, 'd', 'a');
	add(60, 15, 'b', 'a');
	add(200, 100, 'c', 0);
	add(201, 90, 'd', 'c');
	assert_int_equal(kft_nest_flush(nest), 0);
	const struct kft_callee_stat *max = kft_func_stat_max_callee(&functions.stats,
								     stat('a'));

	assert_int_equal(max->func, 1);
	assert_int_equal(max->calls, 2);
	assert_int_equal(max->sum_ns, 35);
	assert_null(kft_func_stat_max_callee(&functions.stats, stat('b')));
}

static void time_on_a_cpu_is_kept_apart(void **state)
{
	struct kft_call call = {.end = KFT_CALL_OPEN, .pid = 1, .func = 0};
	struct kft_nested *a;
	struct kft_nested *b;

	assert_int_equal(kft_nest_push(nest, 1, 0, &call, false, &a), 0);
	call.func = 1;
	assert_int_equal(kft_nest_push(nest, 1, 0, &call, true, &b), 0);
	b->call.end = KFT_CALL_ENDED;
	b->call.dur_ns = 50;
	b->has_off = true;
	b->off_ns = 40;
	b->irq_ns = 3;
	assert_int_equal(kft_nest_pop(nest, b), 0);
	a->call.end = KFT_CALL_ENDED;
	a->call.dur_ns = 100;
	a->has_off = true;
	a->off_ns = 45;
	assert_int_equal(kft_nest_pop(nest, a), 0);
	assert_true(functions.stats.has_off);
	assert_int_equal(stat('b')->on_total_ns, 10);
	assert_int_equal(stat('b')->on_local_ns, 7);
	assert_int_equal(stat('a')->on_total_ns, 55);
	assert_int_equal(stat('a')->local_ns, 50);
	assert_int_equal(stat('a')->on_local_ns, 45);
}

static void expect_order(enum kft_functions_order order, const char *expect)
{
	char got[5] = "";

	kft_functions_sort(&functions, order, &names);
	assert_int_equal(functions.stats.funcs.len, 4);
	for (size_t i = 0; i < 4; i++)
		got[i] = 'a' + functions.stats.funcs.data[i].func;
	assert_string_equal(got, expect);
}

static void all_orders(void **state)
{
	add(0, 100, 'c', 0);
	add(10, 60, 'a', 'c');
	add(20, 20, 'b', 'a');
	add(45, 20, 'b', 'a');
	add(200, -1, 'd', 0);
	add(300, -1, 'd', 'd');
	add(400, -1, 'd', 'd');
	assert_int_equal(kft_nest_flush(nest), 0);
	/* c: 100, 40 of it local; a: 60, 20; b: 40, 40, twice; d: thrice, not known. */
	expect_order(KFT_FUNCTIONS_BY_NAME, "dcba");
	expect_order(KFT_FUNCTIONS_BY_CALLS, "dbac");
	expect_order(KFT_FUNCTIONS_BY_TOTAL, "cabd");
	expect_order(KFT_FUNCTIONS_BY_AVERAGE, "cabd");
	expect_order(KFT_FUNCTIONS_BY_SUB, "cabd");
	expect_order(KFT_FUNCTIONS_BY_LOCAL, "bcad");
}

#define with_nest(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	with_nest(times_are_added_up),
	with_nest(the_callee_with_most_time_under_its_caller),
	with_nest(time_on_a_cpu_is_kept_apart),
	with_nest(all_orders),
};

T_MAIN(tests)
