// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "tracefs/control/catalog.h"
#include "fake.h"

static void assert_names(struct fake *f, enum kft_catalog_kind kind, const char *glob,
			 const char *expected)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_catalog c;

	assert_int_equal(kft_catalog_read(f->host, kind, glob, &c, NULL), 0);
	kft_vec_for_each(&c.entries, it) {
		kft_strbuf_addf(&sb, "%s%s%s%s;", it->current ? "*" : "", it->name,
				it->detail ? " in " : "", it->detail ? it->detail : "");
	}
	assert_string_equal(kft_strbuf_cstr(&sb), expected);
	kft_catalog_finish(&c);
}

static void events_match_by_any_part(void **state)
{
	struct fake *f = *state;

	assert_names(f, KFT_CATALOG_EVENTS, NULL,
		     "sched:sched_switch;sched:sched_wakeup;irq:irq_handler_entry;");
	assert_names(f, KFT_CATALOG_EVENTS, "sched",
		     "sched:sched_switch;sched:sched_wakeup;");
	assert_names(f, KFT_CATALOG_EVENTS, "*_wakeup", "sched:sched_wakeup;");
	assert_names(f, KFT_CATALOG_EVENTS, "irq_h*", "irq:irq_handler_entry;");
	assert_names(f, KFT_CATALOG_EVENTS, "irq:irq_handler_entry",
		     "irq:irq_handler_entry;");
	assert_names(f, KFT_CATALOG_EVENTS, "none", "");
}

static void functions_have_modules(void **state)
{
	struct fake *f = *state;

	assert_names(f, KFT_CATALOG_FUNCTIONS, "vfs_*", "vfs_read;vfs_write in mod;");
	fake_write(f, FAKE_TRACEFS "/available_filter_functions",
		   "odd [\nodder ]x[\nplain 0xffff\n\n");
	assert_names(f, KFT_CATALOG_FUNCTIONS, NULL, "odd;odder;plain;");
}

static void the_current_ones_are_marked(void **state)
{
	struct fake *f = *state;

	assert_names(f, KFT_CATALOG_CLOCKS, NULL, "*local;global;mono;boot;x86-tsc;");
	assert_names(f, KFT_CATALOG_CLOCKS, "m*", "mono;");
	assert_names(f, KFT_CATALOG_TRACERS, NULL, "function_graph;function;nop;");
	fake_write(f, FAKE_TRACEFS "/current_tracer", "nop\n");
	assert_names(f, KFT_CATALOG_TRACERS, NULL, "function_graph;function;*nop;");
}

static void a_missing_list_is_an_error(void **state)
{
	struct fake *f = *state;
	struct kft_catalog c;
	struct kft_err e;

	fake_remove(f, FAKE_TRACEFS "/available_filter_functions");
	assert_int_equal(kft_catalog_read(f->host, KFT_CATALOG_FUNCTIONS, NULL, &c, &e),
			 -ENOENT);
	assert_string_equal(e.msg, "this kernel has no function tracer");
	assert_non_null(strstr(e.hint, "CONFIG_FUNCTION_TRACER"));
	fake_remove(f, FAKE_TRACEFS "/available_events");
	assert_int_equal(kft_catalog_read(f->host, KFT_CATALOG_EVENTS, NULL, &c, &e),
			 -ENOENT);
	assert_string_equal(e.msg,
			    "cannot list the kernel's events: No such file or directory");
}

#define FAKE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(events_match_by_any_part),
	FAKE_TEST(functions_have_modules),
	FAKE_TEST(the_current_ones_are_marked),
	FAKE_TEST(a_missing_list_is_an_error),
};

T_MAIN(tests)
