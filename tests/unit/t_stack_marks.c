// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/format.h"
#include "derive/calls/stack_marks.h"
#include "fake_trace.h"

#define PRINT_ID 5

static const char print_format[] = PRINT_FORMAT;

struct print_record {
	struct fake_record head; /* its members a and b hold `ip` */
	char text[100];
};

static struct print_record records[32];
static size_t n_records;

static void add_print(struct fake_stream *s, uint64_t ts, const char *text)
{
	struct print_record *r = &records[n_records++];

	r->head.type = PRINT_ID;
	(void)snprintf(r->text, sizeof(r->text), "%s", text);
	s->evs[s->len++] = (struct kft_event){
		.ts = ts,
		.data = (const uint8_t *)r,
		.size = sizeof(r->head) + strlen(r->text) + 1,
		.id = PRINT_ID,
	};
}

static struct kft_trace *new_trace(struct fake_stream **ret)
{
	struct kft_trace *t;

	n_records = 0;
	assert_int_equal(kft_trace_create(&t), 0);
	t->classes.parse = kft_format_parse;
	t->classes.long_size = 8;
	assert_int_equal(kft_class_table_add(&t->classes, "ftrace", print_format,
					     strlen(print_format)),
			 0);
	*ret = fake_add_stream(t, 0, 0);
	return t;
}

static struct kft_intern names;
static struct kft_stack_marks marks;

static void read_marks(struct kft_trace *t)
{
	assert_int_equal(kft_stack_marks_read(t, NULL, &names, &marks), 0);
}

static void check(size_t i, uint64_t ts, const char *func, const char *caller,
		  uint32_t offset)
{
	const struct kft_stack_mark *m = &marks.marks.data[i];

	assert_in_range(i, 0, marks.marks.len - 1);
	assert_int_equal(m->ts, ts);
	assert_string_equal(kft_intern_text(&names, m->func), func);
	assert_string_equal(kft_intern_text(&names, m->caller), caller);
	assert_int_equal(m->caller_offset, offset);
}

static int reset(void **state)
{
	kft_stack_marks_finish(&marks);
	kft_intern_finish(&names);
	marks = (struct kft_stack_marks){};
	names = (struct kft_intern){};
	return 0;
}

static void stacks_come_outermost_first(void **state)
{
	struct fake_stream *s;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace(&s);

	add_print(s, 10, "kft: stack 2048\n");
	add_print(s, 11, "kft: frame 3000 48 inner+0x5/0x20\n");
	add_print(s, 12, "a mark of somebody else\n");
	add_print(s, 13, "kft: frame 2952 100 middle+0x1a/0x20\n");
	add_print(s, 14, "kft: frame 2852 8 outer+0xff/0x200\n");
	add_print(s, 20, "kft: stack 1000\n");
	add_print(s, 21, "kft: frame 9000 48 alone+0x5/0x20");
	read_marks(t);
	assert_int_equal(marks.marks.len, 4);
	check(0, 10, "outer", "", 0);
	check(1, 10, "middle", "outer", 0xff);
	check(2, 10, "inner", "middle", 0x1a);
	check(3, 20, "alone", "", 0);
	assert_int_equal(marks.marks.data[2].depth, 2);
}

static void frames_that_are_none_are_passed_over(void **state)
{
	struct fake_stream *s;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace(&s);

	add_print(s, 10, "kft: stack 1");
	add_print(s, 11, "kft: frame ");
	add_print(s, 11, "kft: frame 3000");
	add_print(s, 11, "kft: frame 3000 48 ");
	add_print(s, 11, "kft: frame 3000 48 0xffff");
	add_print(s, 11, "kft: frame 3000 48 f+zz");
	add_print(s, 11, "kft: fra");
	read_marks(t);
	assert_int_equal(marks.marks.len, 2);
	check(0, 10, "f", "", 0);
	check(1, 10, "0xffff", "f", 0);
}

static void a_trace_without_marks_has_no_stacks(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;

	assert_int_equal(kft_trace_create(&t), 0);
	read_marks(t);
	assert_int_equal(marks.marks.len, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(stacks_come_outermost_first, reset),
	cmocka_unit_test_teardown(frames_that_are_none_are_passed_over, reset),
	cmocka_unit_test_teardown(a_trace_without_marks_has_no_stacks, reset),
};

T_MAIN(tests)
