// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/format.h"
#include "decode/kallsyms.h"
#include "decode/trace_lazy.h"

#define BLOB(s) ((struct kft_blob){.data = (s), .len = strlen(s)})

static struct kft_trace *trace;

static int create(void **state)
{
	assert_int_equal(kft_trace_create(&trace), 0);
	trace->meta.kallsyms = BLOB("ffffffff81000000 T one\nbroken\n");
	trace->meta.cmdlines = BLOB("7 sh\n");
	trace->meta.tgids = BLOB("7 6\n");
	trace->meta.printk_formats = BLOB("0x10 : \"x\"\n");
	trace->classes.parse = kft_format_parse;
	trace->classes.long_size = 8;
	return 0;
}

static int destroy(void **state)
{
	trace = kft_trace_destroy(trace);
	return 0;
}

static void tables_are_filled_when_asked_for(void **state)
{
	assert_false(trace->have_symbols);
	assert_int_equal(kft_trace_symbols(trace)->syms.len, 1);
	assert_int_equal(kft_trace_symbols(trace)->syms.len, 1);
	assert_int_equal(kft_task_get(kft_trace_tasks(trace), 7)->tgid, 6);
	assert_non_null(kft_map_get(kft_trace_printk(trace), 0x10));
	assert_int_equal(trace->notes.len, 1);
}

static unsigned int loads;

static void modules_that_came_and_went_unseen_are_noted(void **state)
{
	static const char text[] = "ffffffff81000000 T one\n"
				   "0 a kft:unseen:5:9\t[delta]\n"
				   "0 a kft:unseen:9:12\t[eps\x1b]\n"
				   "0 a kft:unseen:9:12\t\n0 a kft:unseen:";

	trace->meta.kallsyms = BLOB(text);
	assert_int_equal(kft_trace_symbols(trace)->syms.len, 1);
	assert_int_equal(trace->notes.len, 1);
	assert_non_null(strstr(trace->notes.data[0].text, "(delta, eps\\x1b)"));
}

static void dropped_announcements_of_modules_are_noted(void **state)
{
	static const char text[] = "ffffffff81000000 T one\n"
				   "0 a kft:unseen:5:9\t[" KFT_MODULES_DROPPED "]\n"
				   "0 a kft:unseen:9:12\t[" KFT_MODULES_DROPPED "]\n";

	trace->meta.kallsyms = BLOB(text);
	assert_int_equal(kft_trace_symbols(trace)->syms.len, 1);
	assert_int_equal(trace->notes.len, 1);
	assert_non_null(strstr(trace->notes.data[0].text, "dropped announcements"));
}

static void load_kallsyms(struct kft_trace *t)
{
	t->meta.kallsyms = BLOB("10 T late\n");
	loads++;
}

static void symbols_are_loaded_once_when_asked_for(void **state)
{
	trace->meta.kallsyms = (struct kft_blob){};
	trace->load_kallsyms = load_kallsyms;
	loads = 0;
	(void)kft_trace_tasks(trace);
	assert_int_equal(loads, 0);
	assert_int_equal(kft_trace_symbols(trace)->syms.len, 1);
	assert_int_equal(kft_trace_kallsyms(trace)->len, strlen("10 T late\n"));
	assert_int_equal(loads, 1);
}

static void a_trace_without_texts_has_empty_tables(void **state)
{
	trace->meta = (struct kft_meta){};
	assert_int_equal(kft_trace_symbols(trace)->syms.len, 0);
	assert_null(kft_task_get(kft_trace_tasks(trace), 7));
	assert_null(kft_map_get(kft_trace_printk(trace), 0x10));
	assert_int_equal(trace->notes.len, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(tables_are_filled_when_asked_for, create,
					destroy),
	cmocka_unit_test_setup_teardown(symbols_are_loaded_once_when_asked_for, create,
					destroy),
	cmocka_unit_test_setup_teardown(modules_that_came_and_went_unseen_are_noted,
					create, destroy),
	cmocka_unit_test_setup_teardown(dropped_announcements_of_modules_are_noted,
					create, destroy),
	cmocka_unit_test_setup_teardown(a_trace_without_texts_has_empty_tables, create,
					destroy),
};

T_MAIN(tests)
