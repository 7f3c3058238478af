// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "config.h"

/* A clause that is wrong, and why: the place is that of the word. */
static void wrong(const char *clause, const char *complaint)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf lines = {};

	kft_strbuf_addf(&text, "begin %s\nend", clause);
	kft_strbuf_addf(&lines, "f:1:%s\n", complaint);
	t_config_complaints(kft_strbuf_cstr(&text), kft_strbuf_cstr(&lines));
}

static void triggers(void **state)
{
	wrong("trigger begin", "15: 'begin': expected start or stop after trigger\n"
			       "f:1:15: 'begin': expected end\n"
			       "  the block begins on line 1");
	wrong("trigger start at a", "21: 'at': expected entry, exit, event or time");
	wrong("trigger start entry vfs_*",
	      "27: 'vfs_*': expected one function, not a pattern");
	wrong("trigger stop exit 12",
	      "25: '12': expected a function's name or 0x address\n"
	      "  an address starts with 0x");
	wrong("trigger stop time soon",
	      "25: 'soon': expected a time: microseconds, or with a unit as in 500us, "
	      "2ms, 1.5s");
	wrong("trigger start time 99999999999999999999",
	      "26: '99999999999999999999': expected a time: microseconds, or with a "
	      "unit as in 500us, 2ms, 1.5s");
	wrong("trigger start time 1 trigger start time 2",
	      "28: 'trigger start' is given twice, first on line 1");
}

static void filters(void **state)
{
	wrong("filter mintime -1",
	      "22: '-1': expected a time: microseconds, or with a unit as in 500us, 2ms, "
	      "1.5s");
	wrong("filter mintime 1 filter mintime 1",
	      "24: 'filter mintime' is given twice, first on line 1");
	wrong("filter noints noints",
	      "21: 'noints': expected trigger, filter, event, watch, logentries, autorepeat, "
	      "overwrite, untimed, prime or end");
}

static void lists(void **state)
{
	wrong("filter funclist fend",
	      "23: the list is empty: expected a function's name or 0x address");
	wrong("filter nofunclist , , fend",
	      "25: the list is empty: expected a function's name or 0x address");
	wrong("filter funclist a c0-1 fend",
	      "25: 'c0-1': expected a function's name or 0x address");
	wrong("filter pid 1 two fend", "20: 'two': expected a process or thread id");
	wrong("filter pid 0 fend", "18: '0': expected a process or thread id");
	wrong("filter pid 4194305 fend",
	      "18: '4194305': expected a process or thread id");
	wrong("filter comm sixteen-bytes-xx fend",
	      "19: 'sixteen-bytes-xx': expected a command's name as the kernel keeps it: "
	      "1 to 15 bytes");
	wrong("filter comm \"\" fend", "19: '': expected a command's name as the kernel "
				       "keeps it: 1 to 15 bytes");
	wrong("fend",
	      "7: 'fend': expected trigger, filter, event, watch, logentries, autorepeat, "
	      "overwrite, untimed, prime or end\n  did you mean 'end'?");
}

static void the_rest(void **state)
{
	wrong("watch stack deep",
	      "19: 'deep': expected a size: bytes of stack left, as in 1024 or 2k");
	wrong("watch stack 1 watch worst-stack 2",
	      "21: 'watch worst-stack' is given twice, first on line 1");
	t_config_complaints("begin logentries\nend",
			    "f:2:1: 'end': expected a number of entries above 0\n");
	wrong("logentries 5k", "18: '5k': expected a number of entries above 0");
	wrong("logentries \"5", "18: a quote that does not end on its line");
	wrong("autorepeat \x01", "18: byte 0x01: expected text");
}

static void lists_have_limits(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_config_finish) struct kft_config c = {};

	kft_strbuf_adds(&text, "filter pid");
	for (int i = 1; i <= 4096; i++)
		kft_strbuf_addf(&text, " %d", i);
	t_config_parse(kft_strbuf_cstr(&text), &c);
	assert_int_equal(c.runs.data[0].pids.len, 4096);
	kft_strbuf_adds(&text, " 4097");
	t_config_complaints(kft_strbuf_cstr(&text),
			    "f:1:19385: more than 4096 processes in the lists of one "
			    "run\n");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(triggers),
	cmocka_unit_test(filters),
	cmocka_unit_test(lists),
	cmocka_unit_test(the_rest),
	cmocka_unit_test(lists_have_limits),
};

T_MAIN(tests)
