// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "config.h"
#include "plan/carry.h"

static enum kft_carry_where where(const char *text, enum kft_clause clause,
				  const struct kft_config_caps *caps)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};

	t_config_parse(text, &c);
	struct kft_carry carry = kft_clause_carry(&c.runs.data[0], clause, caps);

	assert_non_null(carry.how);
	assert_true((carry.where == KFT_CARRY_REFUSED) == (carry.remedy != NULL));
	return carry.where;
}

static void the_kernel_does_what_it_can(void **state)
{
	static const struct kft_config_caps all = {true, true, true, true,
						   true, true, true, true};
	static const struct kft_config_caps none = {};

	assert_int_equal(where("filter mintime 5", KFT_CLAUSE_MINTIME, &all),
			 KFT_CARRY_KERNEL);
	assert_int_equal(where("filter mintime 5", KFT_CLAUSE_MINTIME, &none),
			 KFT_CARRY_DRAIN);
	assert_int_equal(where("filter maxtime 5", KFT_CLAUSE_MAXTIME, &all),
			 KFT_CARRY_DRAIN);
	assert_int_equal(where("filter noints", KFT_CLAUSE_NOINTS, &all), KFT_CARRY_BOTH);
	assert_int_equal(where("filter funclist a", KFT_CLAUSE_FUNCLIST, &all),
			 KFT_CARRY_KERNEL);
	assert_int_equal(where("filter pid 1", KFT_CLAUSE_PID, &none), KFT_CARRY_DRAIN);
	assert_int_equal(where("watch stack 1", KFT_CLAUSE_WATCH, &none),
			 KFT_CARRY_REFUSED);
}

static void triggers_at_functions_need_probes(void **state)
{
	static const struct kft_config_caps probes = {.kprobes = true};
	static const struct kft_config_caps none = {};
	static const char entry[] = "trigger start entry a trigger stop entry b";
	static const char exits[] = "trigger start exit a trigger stop exit b";
	static const char times[] = "trigger start time 1 trigger stop time 1";

	for (int c = KFT_CLAUSE_START; c <= KFT_CLAUSE_STOP; c++) {
		assert_int_equal(where(entry, c, &probes), KFT_CARRY_KERNEL);
		assert_int_equal(where(exits, c, &probes), KFT_CARRY_KERNEL);
		assert_int_equal(where(entry, c, &none), KFT_CARRY_REFUSED);
		assert_int_equal(where(exits, c, &none), KFT_CARRY_REFUSED);
		assert_int_equal(where(times, c, &none), KFT_CARRY_SESSION);
	}
}

static void every_clause_has_a_way(void **state)
{
	static const struct kft_config_caps all = {true, true, true, true,
						   true, true, true, true};
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	_cleanup_(kft_config_finish) struct kft_config c = {};

	t_config_parse("begin trigger start exit a trigger stop entry b filter mintime 1 "
		       "filter maxtime 2 filter noints filter funclist c fend "
		       "filter nofunclist d_* fend filter pid 1 fend filter comm sh fend "
		       "watch worst-stack 2k logentries 5 autorepeat overwrite prime end "
		       "begin filter onlyints untimed end",
		       &c);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(kft_run_config_possible(&c.runs.data[i], &all, &d), 0);
}

static void what_cannot_be_done_is_refused(void **state)
{
	static const struct kft_config_caps few = {.thresh = true};
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_config_finish) struct kft_config c = {};

	t_config_parse("begin\ntrigger start exit a\nwatch stack 1\nend", &c);
	assert_int_equal(kft_run_config_possible(&c.runs.data[0], &few, &d), -EINVAL);
	kft_diags_text(&d, "f", &sb);
	assert_string_equal(
		kft_strbuf_cstr(&sb),
		"f:1:1: the function_graph tracer cannot be used here\n"
		"  it needs root, CONFIG_FUNCTION_GRAPH_TRACER, and no lockdown\n"
		"f:2:1: 'trigger start exit a': kprobe events are missing, without "
		"which nothing starts a run at a function\n"
		"  use a kernel with CONFIG_KPROBE_EVENTS and no lockdown, or start by "
		"time or with 'kft start'\n"
		"f:3:1: 'watch stack 1': this kernel has no stack tracer\n"
		"  use a kernel with CONFIG_STACK_TRACER, or leave the watch out\n");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_kernel_does_what_it_can),
	cmocka_unit_test(triggers_at_functions_need_probes),
	cmocka_unit_test(every_clause_has_a_way),
	cmocka_unit_test(what_cannot_be_done_is_refused),
};

T_MAIN(tests)
