// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "base/macro.h"
#include "sets/resolve.h"

static int parse(struct kft_sets *sets, const char *file, const char *text,
		 struct kft_err *e)
{
	return kft_sets_parse(sets, file, text, strlen(text), e);
}

static void assert_points(const struct kft_set *set, const char *want)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf got = {};

	assert_non_null(set);
	kft_vec_for_each(&set->points, p)
		kft_strbuf_addf(&got, "%s%d %s%s\n", p->is_alternative ? "or " : "",
				p->kind, p->text, p->callstack ? " callstack" : "");
	assert_string_equal(kft_strbuf_cstr(&got), want);
}

static void lines_of_kptrace_are_sets(void **state)
{
	_cleanup_(kft_sets_finish) struct kft_sets sets = {};

	assert_int_equal(parse(&sets, "f",
			       "# a comment\n\none __switch_to callstack irq:*\r\n"
			       "\thandle_edge_irq\n\ntwo do_.setitimer\none last",
			       NULL),
			 0);
	assert_int_equal(sets.list.len, 2);
	assert_points(kft_sets_find(&sets, NULL, "one"),
		      "3 __switch_to callstack\n0 irq:*\n3 handle_edge_irq\n3 last\n");
	assert_points(kft_sets_find(&sets, "f", "two"), "3 do_.setitimer\n");
	assert_null(kft_sets_find(&sets, "g", "two"));
}

static void blocks_say_what_each_point_is(void **state)
{
	_cleanup_(kft_sets_finish) struct kft_sets sets = {};

	assert_int_equal(parse(&sets, "f",
			       "set a  what it is\n  event a:b/c == 1/ callstack\n"
			       "  or kprobe f(x, y)\n  function g*\n  include b\n"
			       "symbol old\n  nothing gone\n",
			       NULL),
			 0);
	const struct kft_set *a = kft_sets_find(&sets, NULL, "a");
	assert_string_equal(a->about, "what it is");
	assert_points(a, "0 a:b/c == 1/ callstack\nor 1 f(x, y)\n2 g*\n4 b\n");
	assert_null(kft_sets_find(&sets, NULL, "old"));
}

static void later_files_replace_sets(void **state)
{
	_cleanup_(kft_sets_finish) struct kft_sets sets = {};
	const char *rest;

	assert_int_equal(parse(&sets, "f", "a one\nsymbol s{} t\n", NULL), 0);
	assert_int_equal(parse(&sets, "g", "a two\nsymbol sys_x u\n", NULL), 0);
	assert_points(kft_sets_find(&sets, NULL, "a"), "3 two\n");
	assert_points(kft_sets_find(&sets, "f", "a"), "3 one\n");
	assert_points(kft_sets_find_symbol(&sets, "sys_x", &rest), "3 u\n");
	assert_string_equal(rest, "");
	assert_points(kft_sets_find_symbol(&sets, "sys_y", &rest), "3 t\n");
	assert_string_equal(rest, "ys_y");
}

static void mistakes_are_told_with_their_line(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} cases[] = {
		{"\n  x\n", "f:2: a set's name belongs at the start of a line: 'x'"},
		{"set a\n event\n", "f:2: a point is missing: ''"},
		{"set a\n or event x:y\n", "f:2: no point before: 'or'"},
		{"set a\n events x:y\n", "f:2: not a kind of point: 'events'"},
		{"set\n", "f:1: not a set's name: ''"},
		{"a/b c\n", "f:1: not a set's name: 'a/b'"},
		{"symbol a*\n", "f:1: not a symbol: 'a*'"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(kft_sets_finish) struct kft_sets sets = {};
		struct kft_err e = {};

		assert_int_equal(parse(&sets, "f", cases[i].text, &e), -EINVAL);
		assert_string_equal(e.msg, cases[i].says);
	}
}

/* A kernel with two events and functions. */
static void make_kernel(struct kft_set_kernel *k)
{
	static struct kft_catalog_entry events[] = {{.name = "irq:softirq_entry"},
						    {.name = "sched:sched_switch"}};
	static struct kft_catalog_entry functions[] = {{.name = "down"},
						       {.name = "mutex_lock"}};

	*k = (struct kft_set_kernel){.has_kprobes = true, .has_functions = true};
	k->events.entries.data = events;
	k->events.entries.len = ARRAY_SIZE(events);
	k->functions.entries.data = functions;
	k->functions.entries.len = ARRAY_SIZE(functions);
	assert_int_equal(kft_set_kernel_index(k), 0);
}

static int plan_of(const char *text, struct kft_plan *p, struct kft_err *e)
{
	_cleanup_(kft_sets_finish) struct kft_sets sets = {};
	struct kft_set_kernel k;
	kft_found_points points = {};

	make_kernel(&k);
	assert_int_equal(parse(&sets, "f", text, e), 0);
	int r = kft_sets_resolve(&sets, kft_sets_find(&sets, NULL, "a"), &k, &points, e);
	if (r == 0)
		r = kft_sets_plan(&points, p, e);
	kft_vec_finish(&points);
	kft_map_finish(&k.by_name);
	return r;
}

static void filters_of_one_event_are_joined(void **state)
{
	_cleanup_(kft_plan_finish) struct kft_plan p = {};

	assert_int_equal(plan_of("set a\n event irq:softirq_entry/vec==1/\n"
				 " event irq:softirq_entry/vec==3/ callstack\n"
				 " event irq:softirq_entry/vec==1/\n",
				 &p, NULL),
			 0);
	assert_int_equal(p.n_events, 1);
	assert_string_equal(p.events[0].filter, "(vec==1) || (vec==3)");
	assert_true(p.events[0].stack);
}

static void an_event_without_a_filter_is_whole(void **state)
{
	_cleanup_(kft_plan_finish) struct kft_plan p = {};
	_cleanup_(kft_plan_finish) struct kft_plan q = {};

	assert_int_equal(plan_of("set a\n event irq\n event irq:softirq_entry/vec==3/\n",
				 &p, NULL),
			 0);
	assert_int_equal(p.n_events, 1);
	assert_null(p.events[0].filter);
	assert_int_equal(plan_of("set a\n event irq:softirq_entry/vec==3/\n"
				 " event irq:softirq_entry\n",
				 &q, NULL),
			 0);
	assert_int_equal(q.n_events, 1);
	assert_null(q.events[0].filter);
}

static void what_is_not_there_has_alternatives(void **state)
{
	_cleanup_(kft_plan_finish) struct kft_plan p = {};

	assert_int_equal(
		plan_of("symbol old{}\n kprobe mutex_{}(lock)\n"
			"set a\n event no:no\n or kprobe no\n or kprobe down(sem)\n"
			" or function mutex_lock\n symbol oldlock\n symbol down\n",
			&p, NULL),
		0);
	assert_int_equal(p.n_probes, 3);
	assert_string_equal(p.probes[0].symbol, "down");
	assert_string_equal(p.probes[0].args, "sem");
	assert_string_equal(p.probes[1].symbol, "mutex_lock");
	assert_string_equal(p.probes[2].args, "$arg1, $arg2, $arg3, $arg4");
	assert_false(p.functions.enabled);
}

static void sets_that_cannot_be_are_refused(void **state)
{
	_cleanup_(kft_plan_finish) struct kft_plan p = {};
	struct kft_err e = {};

	assert_int_equal(plan_of("set a\n include b\nset b\n include a\n", &p, &e),
			 -ELOOP);
	assert_int_equal(plan_of("set a\n include c\n", &p, &e), -ENOENT);
	assert_int_equal(plan_of("set a\n event no:no\n", &p, &e), -ENOENT);
	assert_string_equal(e.msg, "this kernel has nothing of set 'a'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_kptrace_are_sets),
		cmocka_unit_test(blocks_say_what_each_point_is),
		cmocka_unit_test(later_files_replace_sets),
		cmocka_unit_test(mistakes_are_told_with_their_line),
		cmocka_unit_test(filters_of_one_event_are_joined),
		cmocka_unit_test(an_event_without_a_filter_is_whole),
		cmocka_unit_test(what_is_not_there_has_alternatives),
		cmocka_unit_test(sets_that_cannot_be_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
