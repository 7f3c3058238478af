// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "config.h"
#include "plan/status.h"

static void status_is(const char *text, const struct kft_run_state *st, const char *lines)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	t_config_parse(text, &c);
	kft_run_status_text(&c.runs.data[0], st, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), lines);
}

static void kft_layout(void **state)
{
	status_is("begin trigger start entry 0xC0123456 trigger stop time 250000 "
		  "filter mintime 80 filter noints "
		  "filter funclist 0xC0123456 0xC0123500 fend logentries 5000 end",
		  &(struct kft_run_state){.id = 1, .primed = true},
		  "status: run id 1, primed, not triggered, not complete\n"
		  "\n"
		  "config:\n"
		  "  mode 1\n"
		  "  trigger start entry 0xC0123456\n"
		  "  trigger stop at time 250000\n"
		  "  filter mintime 80\n"
		  "  filter maxtime 0\n"
		  "  filter noints\n"
		  "  filter funclist 0xC0123456 0xC0123500 fend\n"
		  "  logentries 5000\n");
}

static void states_and_newer_clauses(void **state)
{
	status_is("begin trigger stop exit b autorepeat watch stack 9 filter comm a end",
		  &(struct kft_run_state){.triggered = true, .complete = true},
		  "status: run id 0, not primed, triggered, complete\n"
		  "\n"
		  "config:\n"
		  "  mode 3\n"
		  "  trigger start not set\n"
		  "  trigger stop exit b\n"
		  "  filter mintime 0\n"
		  "  filter maxtime 0\n"
		  "  filter comm a fend\n"
		  "  watch stack 9\n");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(kft_layout),
	cmocka_unit_test(states_and_newer_clauses),
};

T_MAIN(tests)
