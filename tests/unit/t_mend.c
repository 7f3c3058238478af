// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdlib.h>

#include "boot_trace.h"
#include "session/boot/mend.h"

/* "start=ID stop=ID", 0 for an event that the trace does not describe. */
static void assert_mended(struct boot_trace *b, enum kft_trigger_kind start,
			  enum kft_trigger_kind stop, unsigned int start_id,
			  unsigned int stop_id)
{
	struct kft_plan p = {};
	struct kft_class_table *t = &b->trace->classes;

	p.start.kind = start;
	p.stop.kind = stop;
	assert_int_equal(kft_boot_mend(b->trace, &p, NULL), 0);
	const struct kft_class *c = kft_class_table_find(t, "kft_boot", "start");
	assert_int_equal(c ? c->id : 0, start_id);
	c = kft_class_table_find(t, "kft_boot", "stop");
	assert_int_equal(c ? c->id : 0, stop_id);
}

/* The probes have no formats here. */
static int setup(void **state)
{
	int r = boot_trace_setup(state);
	struct boot_trace *b = *state;

	kft_class_table_finish(&b->trace->classes);
	b->trace->classes = (struct kft_class_table){.parse = kft_format_parse,
						     .long_size = 8};
	assert_int_equal(kft_class_table_add(&b->trace->classes, boot_formats[0][0],
					     boot_formats[0][1],
					     strlen(boot_formats[0][1])),
			 0);
	boot_add_exit(b, 0, 10, 1, 0x1000, 5);
	return r;
}

static void add(struct boot_trace *b, uint64_t ts, uint16_t id, uint32_t bytes)
{
	struct fake_stream *s = b->cpus[0];

	(void)boot_add(b, 0, ts, id, 1, 0x1000);
	s->evs[s->len - 1].size = bytes;
}

static void the_only_unknown_event_is_the_only_probe(void **state)
{
	struct boot_trace *b = *state;

	assert_mended(b, KFT_TRIGGER_NONE, KFT_TRIGGER_ENTRY, 0, 0);
	add(b, 20, 1700, 16);
	add(b, 30, 1700, 16);
	assert_mended(b, KFT_TRIGGER_TIME, KFT_TRIGGER_NONE, 0, 0);
	assert_mended(b, KFT_TRIGGER_NONE, KFT_TRIGGER_ENTRY, 0, 1700);
	/* The format goes into the trace that is written. */
	assert_int_equal(b->trace->meta.formats.len, 1);
	assert_string_equal(b->trace->meta.formats.data[0].system, "kft_boot");
	const struct kft_class *c = kft_trace_class(b->trace, 1700);
	assert_int_equal(kft_class_field(c, "__probe_ip")->offset, 8);
}

static void the_start_was_made_first(void **state)
{
	struct boot_trace *b = *state;

	add(b, 20, 1701, 16);
	add(b, 30, 1700, 16);
	assert_mended(b, KFT_TRIGGER_ENTRY, KFT_TRIGGER_ENTRY, 1700, 1701);
}

static void the_size_tells_entry_from_exit(void **state)
{
	struct boot_trace *b = *state;

	add(b, 20, 1700, 24);
	assert_mended(b, KFT_TRIGGER_ENTRY, KFT_TRIGGER_EXIT, 0, 1700);
}

static void the_size_tells_exit_from_entry(void **state)
{
	struct boot_trace *b = *state;

	add(b, 20, 1700, 24);
	assert_mended(b, KFT_TRIGGER_EXIT, KFT_TRIGGER_ENTRY, 1700, 0);
}

static void of_three_nobody_knows(void **state)
{
	struct boot_trace *b = *state;

	for (uint16_t id = 1700; id < 1703; id++)
		add(b, id, id, 16);
	assert_mended(b, KFT_TRIGGER_ENTRY, KFT_TRIGGER_ENTRY, 0, 0);
}

#define WITH_TRACE(test) cmocka_unit_test_setup_teardown(test, setup, boot_trace_teardown)

static const struct CMUnitTest tests[] = {
	WITH_TRACE(the_only_unknown_event_is_the_only_probe),
	WITH_TRACE(the_start_was_made_first),
	WITH_TRACE(the_size_tells_entry_from_exit),
	WITH_TRACE(the_size_tells_exit_from_entry),
	WITH_TRACE(of_three_nobody_knows),
};

T_MAIN(tests)
