// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "boot_trace.h"
#include "derive/kinds/initcalls.h"

/* "level func@start+duration=return" of each, by start; "..." without an end. */
static void assert_initcalls(struct boot_trace *b, const char *text, uint64_t unstarted)
{
	struct kft_initcalls i;
	char got[512] = "";
	size_t len = 0;

	assert_int_equal(kft_initcalls_find(b->trace, NULL, &i), 0);
	kft_vec_for_each(&i.list, c) {
		len += snprintf(got + len, sizeof(got) - len, "%s%s %x@%u",
				len ? ", " : "", kft_intern_text(&i.levels, c->level),
				(unsigned int)c->func, (unsigned int)c->start_ns);
		if (c->ended)
			len += snprintf(got + len, sizeof(got) - len, "+%u=%d",
					(unsigned int)c->dur_ns, c->ret);
		else
			len += snprintf(got + len, sizeof(got) - len, "...");
	}
	assert_string_equal(got, text);
	assert_int_equal(i.unstarted, unstarted);
	kft_initcalls_finish(&i);
}

static void starts_and_ends_make_calls(void **state)
{
	struct boot_trace *b = *state;

	assert_initcalls(b, "", 0);
	boot_add_finish(b, 5, 1, 0xa, 0);
	boot_add(b, 0, 10, BOOT_INIT_START, 1, 0xb);
	boot_add_finish(b, 15, 1, 0xb, -19);
	boot_add_level(b, 20, "postcore");
	boot_add(b, 0, 30, BOOT_INIT_START, 1, 0xc);
	boot_add_finish(b, 32, 1, 0xc, 0);
	boot_add_level(b, 40, "late");
	boot_add(b, 0, 50, BOOT_INIT_START, 1, 0xd);
	assert_initcalls(b, "core b@10+5=-19, postcore c@30+2=0, late d@50...", 1);
}

static void modules_come_in_between(void **state)
{
	struct boot_trace *b = *state;

	boot_add_level(b, 1, "late");
	boot_add(b, 0, 10, BOOT_INIT_START, 77, 0xa);
	boot_add(b, 0, 20, BOOT_INIT_START, 1, 0xb);
	boot_add(b, 0, 30, BOOT_INIT_START, 78, 0xc);
	boot_add_finish(b, 40, 77, 0xa, 0);
	boot_add_finish(b, 50, 1, 0xb, 0);
	boot_add_finish(b, 60, 78, 0xc, 1);
	assert_initcalls(b, "module a@10+30=0, late b@20+30=0, module c@30+30=1", 0);
}

static void calls_in_calls(void **state)
{
	struct boot_trace *b = *state;

	boot_add(b, 0, 10, BOOT_INIT_START, 1, 0xa);
	boot_add(b, 0, 20, BOOT_INIT_START, 1, 0xb);
	boot_add_finish(b, 30, 1, 0xb, 0);
	boot_add(b, 0, 40, BOOT_INIT_START, 1, 0xc); /* its end is lost */
	boot_add_finish(b, 50, 1, 0xa, 0);
	boot_add_finish(b, 60, 1, 0xc, 0);
	assert_initcalls(b, " a@10+40=0,  b@20+10=0,  c@40...", 1);
}

static void levels_without_a_name_before_have_none(void **state)
{
	struct boot_trace *b = *state;

	boot_add(b, 0, 10, BOOT_INIT_START, 1, 0xa);
	boot_add_finish(b, 50, 1, 0xa, 0);
	boot_add_level(b, 60, "new");
	assert_initcalls(b, " a@10+40=0", 0);
}

#define WITH_TRACE(test) \
	cmocka_unit_test_setup_teardown(test, boot_trace_setup, boot_trace_teardown)

static const struct CMUnitTest tests[] = {
	WITH_TRACE(starts_and_ends_make_calls),
	WITH_TRACE(modules_come_in_between),
	WITH_TRACE(calls_in_calls),
	WITH_TRACE(levels_without_a_name_before_have_none),
};

T_MAIN(tests)
