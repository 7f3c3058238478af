// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "config.h"

static void what_could_record_nothing_is_refused(void **state)
{
	t_config_complaints("begin\n filter onlyints\n filter noints\nend",
			    "f:3:2: 'filter noints' and 'filter onlyints' together leave "
			    "nothing to record\n");
	t_config_complaints("begin\n filter maxtime 9\n filter mintime 10\nend",
			    "f:3:2: maxtime is below mintime: no call could be recorded\n"
			    "  mintime drops shorter calls, maxtime longer ones; 0 "
			    "switches either off\n");
	t_config_complaints("begin trigger stop time 0us end",
			    "f:1:7: 'trigger stop time 0' ends the run when it starts\n"
			    "  the stop time counts from the start trigger; without a "
			    "stop trigger the run ends when it is stopped\n");
	t_config_complaints(
		"begin filter mintime 5 untimed end",
		"f:1:24: 'untimed' records no durations, but 'filter mintime' "
		"filters by them\n"
		"  leave one of them out\n");
	t_config_complaints("begin filter nofunclist a 0x12 b fend\n"
			    "filter funclist c 0x0012 fend end",
			    "f:2:19: '0x12' is in the funclist and in the nofunclist\n");
}

static void bounds_that_are_off_contradict_nothing(void **state)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};

	t_config_parse("begin filter mintime 500 filter maxtime 0 end "
		       "begin filter mintime 5 filter maxtime 5 end "
		       "begin untimed filter mintime 0 end "
		       "begin trigger start time 0 end "
		       "begin filter funclist a* fend filter nofunclist ab* fend end",
		       &c);
	assert_int_equal(c.runs.len, 5);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_could_record_nothing_is_refused),
	cmocka_unit_test(bounds_that_are_off_contradict_nothing),
};

T_MAIN(tests)
