// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "config.h"
#include "plan/explain.h"

static void explains(const char *text, const struct kft_config_caps *caps,
		     const char *words)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	t_config_parse(text, &c);
	kft_config_explain(&c, caps, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), words);
}

static void what_is_not_given_is_said_too(void **state)
{
	explains("begin end", NULL,
		 "run 1 of 1, line 1\n"
		 "  (no start trigger)\n"
		 "      recording starts at once with 'kft run', else with "
		 "'kft start'\n"
		 "  (no stop trigger)\n"
		 "      recording stops with 'kft stop', or when the command "
		 "of 'kft run' ends\n"
		 "  (no funclist)\n"
		 "      all functions are recorded\n"
		 "  (no logentries)\n"
		 "      recording also stops when the buffer is full\n");
}

static void every_clause_in_words(void **state)
{
	explains(
		"begin trigger start exit a trigger stop entry b filter mintime 1500ns "
		"filter maxtime 2ms filter noints filter funclist c d_* fend "
		"filter nofunclist 0x10 fend filter pid 1 20 fend filter comm sh fend "
		"watch worst-stack 2k logentries 5000 autorepeat overwrite prime end\n"
		"begin trigger start time 10s trigger stop time 5000 filter maxtime 0 "
		"filter onlyints watch stack 100 logentries 1 untimed end",
		NULL,
		"run 1 of 2, line 1\n"
		"  trigger start exit a\n"
		"      recording starts when a returns\n"
		"  trigger stop entry b\n"
		"      recording stops when b is entered\n"
		"  filter mintime 1500ns\n"
		"      calls shorter than 1.5 us are dropped\n"
		"  filter maxtime 2000\n"
		"      calls longer than 2 ms are dropped\n"
		"  filter noints\n"
		"      calls made in a hard or soft interrupt are dropped\n"
		"  filter funclist c d_* fend\n"
		"      only these functions are recorded: c, d_*\n"
		"  filter nofunclist 0x10 fend\n"
		"      these functions are not recorded: 0x10\n"
		"  filter pid 1 20 fend\n"
		"      only calls of these tasks are kept: 1, 20\n"
		"  filter comm sh fend\n"
		"      only calls of tasks with these names are kept: sh\n"
		"  watch worst-stack 2048\n"
		"      the call stack is saved each time less stack is left than ever "
		"before, from 2048 bytes on\n"
		"  logentries 5000\n"
		"      the last 5,000 calls are kept\n"
		"  autorepeat\n"
		"      after the stop the run waits for its start again, and keeps its "
		"records; it ends when the log is full\n"
		"  overwrite\n"
		"      when the buffer is full the oldest calls give way; recording goes "
		"on\n"
		"  prime\n"
		"      the run is primed as soon as it is loaded\n"
		"\n"
		"run 2 of 2, line 2\n"
		"  trigger start time 10000000\n"
		"      recording starts 10 s after boot; at once when the machine has been "
		"up for longer\n"
		"  trigger stop time 5000\n"
		"      recording stops 5 ms after it started\n"
		"  filter maxtime 0\n"
		"      no call is dropped for being longer\n"
		"  filter onlyints\n"
		"      only calls made in a hard or soft interrupt are kept\n"
		"  (no funclist)\n"
		"      all functions are recorded\n"
		"  watch stack 100\n"
		"      the call stack is saved each time less than 100 bytes of stack are "
		"left\n"
		"  logentries 1\n"
		"      recording also stops when 1 call is kept\n"
		"  untimed\n"
		"      entries and exits are recorded one by one, without durations\n");
}

static void with_a_kernel_how_it_is_done(void **state)
{
	static const struct kft_config_caps caps = {
		.function_graph = true, .graph_instances = true, .function_filter = true};

	explains(
		"begin trigger start entry a trigger stop time 1s filter funclist b fend "
		"logentries 2 end",
		&caps,
		"run 1 of 1, line 1\n"
		"      in the kernel: the function_graph tracer in an instance of its own\n"
		"  trigger start entry a\n"
		"      recording starts when a is entered\n"
		"      REFUSED: kprobe events are missing, without which nothing starts a run at a function\n"
		"      use a kernel with CONFIG_KPROBE_EVENTS and no lockdown, or start by "
		"time or with 'kft start'\n"
		"  trigger stop time 1000000\n"
		"      recording stops 1 s after it started\n"
		"      by kft: a timer of the session's keeper; records after the exact "
		"time are cut off\n"
		"  filter funclist b fend\n"
		"      only these functions are recorded: b\n"
		"      in the kernel: set_ftrace_filter, by index, read back to verify\n"
		"  logentries 2\n"
		"      recording also stops when 2 calls are kept\n"
		"      in the kernel and while draining: the run is stopped at that number of records; if kft filters calls itself, they are read out and counted from time to time, and cut exactly at the end\n");
}

static void long_lists_are_cut(void **state)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_adds(&text, "filter funclist");
	for (int i = 0; i < 1000; i++)
		kft_strbuf_addf(&text, " function_%d", i);
	t_config_parse(kft_strbuf_cstr(&text), &c);
	kft_config_explain(&c, NULL, &sb);
	assert_non_null(strstr(kft_strbuf_cstr(&sb), " function_6 functio ...\n"));
	assert_non_null(strstr(kft_strbuf_cstr(&sb), "function_7 and 992 more\n"));
	c.runs.data[0].funclist.data[0].match_count = 1200;
	kft_strbuf_clear(&sb);
	kft_config_explain(&c, NULL, &sb);
	assert_non_null(strstr(kft_strbuf_cstr(&sb), "992 more (1,200 functions)\n"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_is_not_given_is_said_too),
	cmocka_unit_test(every_clause_in_words),
	cmocka_unit_test(with_a_kernel_how_it_is_done),
	cmocka_unit_test(long_lists_are_cut),
};

T_MAIN(tests)
