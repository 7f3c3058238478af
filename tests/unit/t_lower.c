// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "config.h"
#include "plan/kft/lower.h"

static void lower(const char *text, struct kft_plan *ret)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};

	t_config_parse(text, &c);
	assert_int_equal(kft_run_config_lower(&c.runs.data[0], ret, NULL), 0);
}

static void every_clause_reaches_the_plan(void **state)
{
	struct kft_plan p;

	lower("trigger start exit a trigger stop time 7 filter mintime 1 filter maxtime 2ms "
	      "filter noints filter funclist b* 0x10 fend filter nofunclist bc fend "
	      "filter pid 3 4 filter comm sh fend watch stack 512 logentries 9 autorepeat "
	      "overwrite event irq event sched:sched_switch \"prev_pid == 3\"",
	      &p);
	const struct kft_plan_functions *f = &p.functions;

	assert_true(f->enabled);
	assert_int_equal(p.start.kind, KFT_TRIGGER_EXIT);
	assert_string_equal(p.start.func.name, "a");
	assert_int_equal(p.stop.kind, KFT_TRIGGER_TIME);
	assert_int_equal(p.stop.time_ns, 7000);
	assert_int_equal(f->min_ns, 1000);
	assert_int_equal(f->max_ns, 2000000);
	assert_int_equal(f->context, KFT_CONTEXT_TASK);
	assert_int_equal(f->include.len, 2);
	assert_int_equal(f->include.items[0].kind, KFT_FUNC_GLOB);
	assert_int_equal(f->include.items[1].addr, 0x10);
	assert_string_equal(f->exclude.items[0].name, "bc");
	assert_int_equal(p.n_pids, 2);
	assert_int_equal(p.pids[1], 4);
	assert_string_equal(f->comms[0], "sh");
	assert_int_equal(f->watch, KFT_WATCH_STACK);
	assert_int_equal(f->watch_bytes, 512);
	assert_int_equal(f->max_calls, 9);
	assert_true(p.autorepeat);
	assert_true(p.overwrite);
	assert_false(f->untimed);
	assert_int_equal(p.n_events, 2);
	assert_string_equal(p.events[0].pattern, "irq");
	assert_null(p.events[0].filter);
	assert_string_equal(p.events[1].filter, "prev_pid == 3");
	kft_plan_finish(&p);
}

static void what_is_not_said_stays_open(void **state)
{
	struct kft_plan p;

	lower("begin end", &p);
	assert_true(p.functions.enabled);
	assert_int_equal(p.start.kind, KFT_TRIGGER_NONE);
	assert_int_equal(p.functions.context, KFT_CONTEXT_ANY);
	assert_int_equal(p.functions.include.len, 0);
	assert_int_equal(p.n_pids, 0);
	kft_plan_finish(&p);
	lower("filter onlyints untimed", &p);
	assert_int_equal(p.functions.context, KFT_CONTEXT_INTERRUPT);
	assert_true(p.functions.untimed);
	kft_plan_finish(&p);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_clause_reaches_the_plan),
	cmocka_unit_test(what_is_not_said_stays_open),
};

T_MAIN(tests)
