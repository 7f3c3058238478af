// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdio.h>
#include <stdlib.h>

#include "config.h"

/* Checks the canonical form of a text's runs, and that it parses to itself. */
static void means(const char *text, const char *canonical)
{
	for (int round = 0; round < 2; round++) {
		_cleanup_(kft_config_finish) struct kft_config c = {};
		_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

		t_config_parse(round ? canonical : text, &c);
		kft_config_format(&c, &sb);
		assert_string_equal(kft_strbuf_cstr(&sb), canonical);
	}
}

/* The configurations that KFT's documents show, clause for clause. */
static void samples_of_the_documents(void **state)
{
	means("begin trigger start entry start_kernel trigger stop entry to_userspace "
	      "filter mintime 500 end",
	      "begin\n  trigger start entry start_kernel\n"
	      "  trigger stop entry to_userspace\n  filter mintime 500\nend\n");
	means("new begin trigger start entry start_kernel\ntrigger stop exit to_userspace\n"
	      "filter mintime 500\nfilter maxtime 0\nfilter noints\nend",
	      "begin\n  trigger start entry start_kernel\n"
	      "  trigger stop exit to_userspace\n  filter mintime 500\n"
	      "  filter maxtime 0\n  filter noints\nend\n");
	means("new\nbegin\n  trigger start entry 0xc001d804\n  trigger stop time 5000000\n"
	      "  filter mintime 500\n  filter maxtime 0\n  filter noints\nend\n",
	      "begin\n  trigger start entry 0xc001d804\n  trigger stop time 5000000\n"
	      "  filter mintime 500\n  filter maxtime 0\n  filter noints\nend\n");
	means("# short\n# small\nnew\nbegin\n trigger start entry do_fork\n"
	      " trigger stop exit do_fork\n filter mintime 10\n filter maxtime 400\n"
	      " filter noints\n logentries 500\nend\n",
	      "begin\n  trigger start entry do_fork\n  trigger stop exit do_fork\n"
	      "  filter mintime 10\n  filter maxtime 400\n  filter noints\n"
	      "  logentries 500\nend\n");
	means("new\nbegin\n trigger start time 5000000\n trigger stop time 5000\n"
	      " filter onlyints\nend\n",
	      "begin\n  trigger start time 5000000\n  trigger stop time 5000\n"
	      "  filter onlyints\nend\n");
	means("begin\n trigger start time 10000000\n filter funclist schedule fend\nend\n"
	      "# the same by address\n"
	      "new begin\n trigger start time 10000000\n filter funclist 0xc02cb754 fend\n"
	      "end\n",
	      "begin\n  trigger start time 10000000\n  filter funclist schedule fend\nend\n"
	      "\n"
	      "begin\n  trigger start time 10000000\n"
	      "  filter funclist 0xc02cb754 fend\nend\n");
	means("new begin trigger start entry 0xc0123456 trigger stop time 250000 "
	      "filter mintime 80 filter noints logentries 5000 autorepeat end",
	      "begin\n  trigger start entry 0xc0123456\n  trigger stop time 250000\n"
	      "  filter mintime 80\n  filter noints\n  logentries 5000\n  autorepeat\n"
	      "end\n");
	means("begin\n trigger start time 3000000\n trigger stop exit ext2_readdir\n"
	      " filter funclist ext2_readdir, ext2_get_page\nend\n",
	      "begin\n  trigger start time 3000000\n  trigger stop exit ext2_readdir\n"
	      "  filter funclist ext2_readdir ext2_get_page fend\nend\n");
}

/* Some of the documents show them so. */
static void clauses_alone_are_one_run(void **state)
{
	means("   trigger start entry start_kernel\n   trigger stop entry to_userspace\n"
	      "   filter mintime 500\n",
	      "begin\n  trigger start entry start_kernel\n"
	      "  trigger stop entry to_userspace\n  filter mintime 500\nend\n");
	means("autorepeat end new begin end", "begin\n  autorepeat\nend\n\nbegin\nend\n");
}

static void triggers_at_events(void **state)
{
	means("begin trigger start event sched:sched_switch trigger stop event "
	      "irq:irq_handler_entry \"irq == 3\" end",
	      "begin\n  trigger start event sched:sched_switch\n"
	      "  trigger stop event irq:irq_handler_entry \"irq == 3\"\nend\n");
	t_config_complaints("begin trigger start event sched:* end",
			    "f:1:27: 'sched:*': expected one event: system:event\n");
	t_config_complaints(
		"begin trigger start event a:b autorepeat end",
		"f:1:31: 'autorepeat' cannot be combined with a trigger at an event\n"
		"  use triggers at functions or times, or leave it out\n");
}

static void every_clause(void **state)
{
	means("new begin trigger start exit a trigger stop entry b filter mintime 1 "
	      "filter maxtime 2 filter noints filter funclist c fend "
	      "filter nofunclist d_* fend filter pid 1, 20 fend "
	      "filter comm sh \"Web Content\" fend watch worst-stack 2k logentries 5 "
	      "autorepeat overwrite# last\nprime end",
	      "begin\n  trigger start exit a\n  trigger stop entry b\n"
	      "  filter mintime 1\n  filter maxtime 2\n  filter noints\n"
	      "  filter funclist c fend\n  filter nofunclist d_* fend\n"
	      "  filter pid 1 20 fend\n  filter comm sh \"Web Content\" fend\n"
	      "  watch worst-stack 2048\n  logentries 5\n  autorepeat\n  overwrite\n"
	      "  prime\nend\n");
	means("begin filter onlyints watch stack 100 untimed end",
	      "begin\n  filter onlyints\n  watch stack 100\n  untimed\nend\n");
}

static void lists_end_where_they_must(void **state)
{
	const char *abc = "begin\n  filter funclist a b c fend\nend\n";

	means("begin filter funclist a b c fend end", abc);
	means("begin filter funclist a, b, c end", abc);
	means("begin filter funclist a,b,\nc\nend", abc);
	means("filter funclist a b, c", abc);
	means("begin filter funclist a filter funclist b c end", abc);
	means("begin filter funclist \"a\" b fend filter funclist c end", abc);
	means("begin filter funclist \"end\" \"fend\" fend end",
	      "begin\n  filter funclist \"end\" \"fend\" fend\nend\n");
}

static void times_have_units(void **state)
{
	means("begin filter mintime 500us filter maxtime 2ms trigger start time 1.5s "
	      "trigger stop time 1500ns end",
	      "begin\n  trigger start time 1500000\n  trigger stop time 1500ns\n"
	      "  filter mintime 500\n  filter maxtime 2000\nend\n");
}

static void places_of_clauses(void **state)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};

	t_config_parse(
		"# x\nnew begin\n  filter noints\n  filter funclist a\n\tb* fend\nend",
		&c);
	const struct kft_run_config *run = &c.runs.data[0];

	assert_int_equal(run->pos.line, 2);
	assert_int_equal(run->clauses[KFT_CLAUSE_NOINTS].line, 3);
	assert_int_equal(run->clauses[KFT_CLAUSE_NOINTS].col, 3);
	assert_false(kft_run_config_has(run, KFT_CLAUSE_ONLYINTS));
	assert_int_equal(run->funclist.data[1].pos.line, 5);
	assert_int_equal(run->funclist.data[1].pos.col, 2);
	assert_int_equal(run->funclist.data[1].kind, KFT_FUNC_GLOB);
}

static void blocks_must_be_whole(void **state)
{
	t_config_complaints("begin filter noints", "f:1:20: end of file: expected end\n"
						   "  the block begins on line 1\n");
	t_config_complaints("new begin\nautorepeat\nbegin\nend",
			    "f:3:1: 'begin': expected end\n"
			    "  the block begins on line 1\n");
	t_config_complaints("new filter noints end", "f:1:5: 'filter': expected begin\n");
	t_config_complaints("begin end\nprime\nbegin end",
			    "f:2:1: 'prime': expected new or begin\n"
			    "  prime stands before end\n");
	t_config_complaints("begin end begn end",
			    "f:1:11: 'begn': expected new or begin\n"
			    "  did you mean 'begin'?\n");
	t_config_complaints(" # nothing", "f:1:11: nothing but blanks and comments: "
					  "expected begin, clauses, end\n");
}

/* One round shows all mistakes. */
static void reading_goes_on_after_a_mistake(void **state)
{
	t_config_complaints(
		"begin\n  triger start entry a\n  filter mintme 5\n"
		"  trigger stop entri b\n  filter noints\n  autorepeat\n"
		"  autorepeat\nend\nbegin\n  logentries 0\nend\n",
		"f:2:3: 'triger': expected trigger, filter, event, watch, logentries, "
		"autorepeat, overwrite, untimed, prime or end\n"
		"  did you mean 'trigger'?\n"
		"f:3:10: 'mintme': expected mintime, maxtime, noints, onlyints, "
		"funclist, nofunclist, pid or comm after filter\n"
		"  did you mean 'mintime'?\n"
		"f:4:16: 'entri': expected entry, exit, event or time\n"
		"  did you mean 'entry'?\n"
		"f:7:3: 'autorepeat' is given twice, first on line 6\n"
		"f:10:14: '0': expected a number of entries above 0\n");
}

static void limits_have_names(void **state)
{
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	_cleanup_free_ char *text = calloc(1, KFT_CONFIG_MAX_BYTES + 1);
	struct kft_config c = {};
	size_t len = 0;

	assert_non_null(text);
	assert_int_equal(kft_config_parse(text, KFT_CONFIG_MAX_BYTES + 1, &d, &c), -22);
	assert_string_equal(d.list.data[0].msg, "longer than 4194304 bytes");
	for (int i = 0; i < KFT_CONFIG_MAX_RUNS; i++)
		len += sprintf(text + len, "begin end ");
	assert_int_equal(kft_config_parse(text, len, &d, &c), -22);
	kft_diags_finish(&d);
	d = (struct kft_diags){};
	assert_int_equal(kft_config_parse(text, len, &d, &c), 0);
	assert_int_equal(c.runs.len, KFT_CONFIG_MAX_RUNS);
	kft_config_finish(&c);
	len += sprintf(text + len, "begin end");
	assert_int_equal(kft_config_parse(text, len, &d, &c), -22);
	assert_string_equal(d.list.data[0].msg, "more than 1000 runs");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(samples_of_the_documents),
	cmocka_unit_test(clauses_alone_are_one_run),
	cmocka_unit_test(triggers_at_events),
	cmocka_unit_test(every_clause),
	cmocka_unit_test(lists_end_where_they_must),
	cmocka_unit_test(times_have_units),
	cmocka_unit_test(places_of_clauses),
	cmocka_unit_test(blocks_must_be_whole),
	cmocka_unit_test(reading_goes_on_after_a_mistake),
	cmocka_unit_test(limits_have_names),
};

T_MAIN(tests)
