// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "config.h"
#include "plan/boot.h"

static void assert_complaints(const char *text, const char *complaints)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	t_config_parse(text, &c);
	assert_int_equal(kft_config_boot_check(&c, &d), *complaints ? -EINVAL : 0);
	kft_diags_text(&d, "f", &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), complaints);
}

static void what_a_boot_can_do_passes(void **state)
{
	assert_complaints("trigger start entry start_kernel trigger stop exit f.isra.0 "
			  "filter funclist a_* [bc]? fend filter noints prime "
			  "filter mintime 500 logentries 5 overwrite",
			  "");
	assert_complaints("trigger start exit smp_init trigger stop time 5s untimed", "");
}

static void what_a_boot_cannot_do_is_refused(void **state)
{
	assert_complaints("begin end begin end",
			  "f:1:11: a boot carries out one run, the file has 2\n"
			  "  put the others into files of their own\n");
	assert_complaints("trigger start entry 0x10",
			  "f:1:21: '0x10': a boot takes functions by name\n"
			  "  the next boot may put it at another address\n");
	assert_complaints("filter funclist a$b fend",
			  "f:1:17: 'a$b': this cannot stand on a kernel's command line\n"
			  "  letters, digits, _ . - and * ? [ ] can\n");
	assert_complaints(
		"trigger start exit kernel_init",
		"f:1:20: 'kernel_init': is entered before the kernel can trace, "
		"so that its return goes unnoticed\n"
		"  without a start trigger everything is recorded that can be\n");
	assert_complaints("trigger stop entry time_init",
			  "f:1:20: 'time_init': is entered before the kernel can trace "
			  "(at core_initcall): the run would never stop there\n"
			  "  'trigger stop entry run_init_process' stops when the kernel "
			  "has booted\n");
	assert_complaints("trigger stop entry x autorepeat watch stack 100",
			  "f:1:22: 'autorepeat': a machine boots once\n"
			  "  leave it out, or use 'kft run' on a machine that is up\n"
			  "f:1:33: 'watch stack 100': watch is not available at boot\n"
			  "  leave it out, or use 'kft run' on a machine that is up\n");
}

static void assert_start(const char *text, enum kft_trigger_kind kind)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};
	_cleanup_(kft_plan_finish) struct kft_plan plan = {};

	t_config_parse(text, &c);
	assert_int_equal(kft_run_config_lower_boot(&c.runs.data[0], &plan, NULL), 0);
	assert_int_equal(plan.start.kind, kind);
	assert_int_equal(plan.functions.min_ns, 7000);
}

static void a_start_before_the_tracer_is_none(void **state)
{
	assert_start("trigger start entry start_kernel filter mintime 7",
		     KFT_TRIGGER_NONE);
	assert_start("trigger start exit time_init filter mintime 7", KFT_TRIGGER_NONE);
	assert_start("trigger start entry pci_subsys_init filter mintime 7",
		     KFT_TRIGGER_ENTRY);
	assert_start("trigger start time 5 filter mintime 7", KFT_TRIGGER_TIME);
}

static void assert_explained(const char *text, const char *words)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	t_config_parse(text, &c);
	kft_config_boot_explain(&c.runs.data[0], &sb);
	const char *got = strstr(kft_strbuf_cstr(&sb), "as events\n");
	assert_non_null(got);
	assert_string_equal(got + strlen("as events\n"), words);
}

static void each_clause_is_explained(void **state)
{
	assert_explained(
		"trigger start entry start_kernel trigger stop time 5s "
		"filter mintime 500 filter maxtime 900 overwrite",
		"  trigger start entry start_kernel\n"
		"      at boot: the function runs before the kernel can trace: recording "
		"begins with the tracer\n"
		"  trigger stop time 5000000\n"
		"      when saved: cut so long after the start; without a start trigger "
		"that is the kernel's time 0, as in dmesg\n"
		"  filter mintime 500\n"
		"      at boot: tracing_thresh: shorter calls never reach the buffer; whole "
		"microseconds\n"
		"      when saved: a rest below a microsecond\n"
		"  filter maxtime 900\n"
		"      when saved: longer calls are dropped\n"
		"  overwrite\n"
		"      at boot: the oldest records are overwritten when the buffer is full, "
		"until the trace is saved\n"
		"  (no funclist)\n"
		"      every function is traced: the boot takes 6 to 10 times as long; "
		"'kft boot --light' costs next to nothing\n");
	assert_explained(
		"filter onlyints",
		"  filter onlyints\n"
		"      when saved: other calls are dropped\n"
		"  (no stop trigger)\n"
		"      recording ends when the trace is saved\n"
		"  (no overwrite)\n"
		"      recording also ends when the buffer is full\n"
		"  (no funclist)\n"
		"      every function is traced: the boot takes 6 to 10 times as long; "
		"'kft boot --light' costs next to nothing\n"
		"  (neither mintime nor funclist)\n"
		"      every call is recorded: the buffer is full within moments\n");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_a_boot_can_do_passes),
	cmocka_unit_test(what_a_boot_cannot_do_is_refused),
	cmocka_unit_test(a_start_before_the_tracer_is_none),
	cmocka_unit_test(each_clause_is_explained),
};

T_MAIN(tests)
