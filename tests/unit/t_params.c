// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "session/boot/params.h"

static void assert_params(const struct kft_plan *p, const char *params)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(kft_boot_params(p, "w", NULL, &sb, NULL), 0);
	assert_string_equal(kft_strbuf_cstr(&sb), params);
}

static void an_empty_plan_records_all(void **state)
{
	assert_params(
		&(struct kft_plan){},
		"ftrace=function_graph trace_event=initcall:*,module:module_load trace_clock=local "
		"trace_buf_size=16M trace_options=nooverwrite kft.boot=w");
	assert_params(
		&(struct kft_plan){.overwrite = true, .buffer_bytes = 100000},
		"ftrace=function_graph trace_event=initcall:*,module:module_load trace_clock=local "
		"trace_buf_size=98K kft.boot=w");
}

static void all_that_the_kernel_can_do(void **state)
{
	_cleanup_(kft_plan_finish) struct kft_plan p = {
		.functions = {.min_ns = 500999, .context = KFT_CONTEXT_TASK}};
	struct kft_plan_functions *f = &p.functions;

	assert_int_equal(kft_plan_add_function(&p, "vfs_*", NULL), 0);
	assert_int_equal(kft_plan_add_function(&p, "do_one_initcall", NULL), 0);
	assert_int_equal(kft_plan_exclude_function(&p, "vfs_read", NULL), 0);
	assert_int_equal(
		kft_plan_trigger_set_function(&p.start, KFT_TRIGGER_ENTRY, "a", NULL), 0);
	assert_int_equal(
		kft_plan_trigger_set_function(&p.stop, KFT_TRIGGER_EXIT, "b", NULL), 0);
	assert_params(&p, "ftrace=function_graph tracing_thresh=500 "
			  "ftrace_filter=vfs_*,do_one_initcall ftrace_notrace=vfs_read "
			  "trace_event=initcall:*,module:module_load "
			  "kprobe_event=p:kft_boot/start,a;r512:kft_boot/stop,b "
			  "trace_clock=local trace_buf_size=16M "
			  "trace_options=nooverwrite,nofuncgraph-irqs kft.boot=w");
	p.start.kind = KFT_TRIGGER_TIME;
	f->untimed = true;
	p.overwrite = true;
	assert_params(&p, "ftrace=function_graph "
			  "ftrace_filter=vfs_*,do_one_initcall ftrace_notrace=vfs_read "
			  "trace_event=initcall:*,module:module_load "
			  "kprobe_event=r512:kft_boot/stop,b "
			  "trace_clock=local trace_buf_size=16M "
			  "trace_options=nofuncgraph-irqs kft.boot=w");
}

static void what_slow_functions_call(void **state)
{
	const struct kft_plan p = {.functions.min_ns = 20000};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(kft_boot_params(&p, "w", "acpi_init,pci_init", &sb, NULL), 0);
	assert_non_null(
		strstr(kft_strbuf_cstr(&sb),
		       " tracing_thresh=20 ftrace_graph_filter=acpi_init,pci_init "));
}

/* ARM and RISC-V take 1,024 bytes, and the bootloader has its own. */
static void a_light_look_fits_everywhere(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_boot_light_params(0, "w", &sb);
	const char *line = kft_strbuf_cstr(&sb);
	assert_non_null(strstr(line, "ftrace=function ftrace_filter=calibrate_delay,"));
	assert_non_null(strstr(line, ",run_init_process "));
	assert_non_null(strstr(line, " trace_event=initcall:*,module:module_load "));
	assert_true(sb.len < 300);
}

static void addresses_are_refused(void **state)
{
	_cleanup_(kft_plan_finish) struct kft_plan p = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(kft_plan_add_function(&p, "0x1000", NULL), 0);
	assert_int_equal(kft_boot_params(&p, "w", NULL, &sb, NULL), -EINVAL);
}

static void each_parameter_is_known_again(void **state)
{
	assert_true(kft_boot_is_param("ftrace=function_graph"));
	assert_true(kft_boot_is_param("kft.boot=w"));
	assert_true(kft_boot_is_param("tracing_thresh=1"));
	assert_true(kft_boot_is_param("ftrace_graph_filter=a"));
	assert_false(kft_boot_is_param("quiet"));
	assert_false(kft_boot_is_param("ftrace"));
}

static void lines_are_as_long_as_the_machine_takes(void **state)
{
	assert_int_equal(kft_boot_line_max("x86_64"), 2047);
	assert_int_equal(kft_boot_line_max("aarch64"), 2047);
	assert_int_equal(kft_boot_line_max("armv7l"), 1023);
	assert_int_equal(kft_boot_line_max("s390x"), 4095);
	assert_int_equal(kft_boot_line_max("sparc64"), 2047);
	assert_int_equal(kft_boot_line_max("sparc"), 255);
	assert_int_equal(kft_boot_line_max("what"), 511);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_empty_plan_records_all),
	cmocka_unit_test(all_that_the_kernel_can_do),
	cmocka_unit_test(what_slow_functions_call),
	cmocka_unit_test(a_light_look_fits_everywhere),
	cmocka_unit_test(addresses_are_refused),
	cmocka_unit_test(each_parameter_is_known_again),
	cmocka_unit_test(lines_are_as_long_as_the_machine_takes),
};

T_MAIN(tests)
