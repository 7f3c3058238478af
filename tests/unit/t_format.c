// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "decode/format.h"

#define HEAD   "name: ev\nID: 42\nformat:\n"
#define COMMON "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"

static struct kft_arena arena;
static struct kft_class cls;

static int parse_long(const char *text, uint32_t long_size)
{
	kft_arena_finish(&arena);
	return kft_format_parse("sys", text, strlen(text), long_size, NULL, &arena, &cls);
}

static int parse(const char *text)
{
	return parse_long(text, 8);
}

/* The only field after the common one, given as "DECLARATION; offset..;". */
static const struct kft_field *field(const char *rest, uint32_t long_size)
{
	char text[2048];

	snprintf(text, sizeof(text), HEAD COMMON "\tfield:%s\nprint fmt: \"\"\n", rest);
	assert_int_equal(parse_long(text, long_size), 0);
	assert_int_equal(cls.n_fields, 2);
	return &cls.fields[1];
}

static void a_class_is_read(void **state)
{
	assert_int_equal(parse(HEAD COMMON "\tfield:char comm[16];\toffset:8;\tsize:16;"
					   "\tsigned:0;\n\tfield:pid_t pid;\toffset:24;"
					   "\tsize:4;\tsigned:1;\n\n"
					   "print fmt: \"comm=%s\", REC->comm\n"),
			 0);
	assert_string_equal(cls.name, "ev");
	assert_string_equal(cls.system, "sys");
	assert_int_equal(cls.id, 42);
	assert_int_equal(cls.n_fields, 3);
	assert_int_equal(cls.n_common, 1);
	assert_true(cls.fields[0].is_common);
	assert_string_equal(cls.fields[1].name, "comm");
	assert_string_equal(cls.fields[1].type, "char[16]");
	assert_int_equal(cls.fields[1].kind, KFT_FIELD_STRING);
	assert_int_equal(cls.fields[2].offset, 24);
	assert_true(cls.fields[2].is_signed);
	assert_int_equal(cls.fields[2].kind, KFT_FIELD_INT);
	assert_string_equal(cls.print_fmt, "\"comm=%s\", REC->comm");
}

static void arrays_know_their_elements(void **state)
{
	const struct kft_field *f;

	f = field("unsigned long args[6];\toffset:8;\tsize:48;\tsigned:0;", 8);
	assert_int_equal(f->kind, KFT_FIELD_ARRAY);
	assert_int_equal(f->elem_size, 8);
	f = field("unsigned long args[6];\toffset:8;\tsize:24;\tsigned:0;", 4);
	assert_int_equal(f->elem_size, 4);
	f = field("char func[TRACE_FUNC_SIZE+1];\toffset:8;\tsize:31;\tsigned:0;", 8);
	assert_int_equal(f->kind, KFT_FIELD_STRING);
	assert_string_equal(f->name, "func");
	f = field("u8 mac[6];\toffset:8;\tsize:6;\tsigned:0;", 8);
	assert_int_equal(f->kind, KFT_FIELD_ARRAY);
	assert_int_equal(f->elem_size, 1);
	f = field("struct foo x[3];\toffset:8;\tsize:12;\tsigned:0;", 8);
	assert_int_equal(f->kind, KFT_FIELD_OTHER);
}

static void dynamic_places_are_told_apart(void **state)
{
	const struct kft_field *f;

	f = field("__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;", 8);
	assert_int_equal(f->place, KFT_FIELD_DATA_LOC);
	assert_int_equal(f->kind, KFT_FIELD_STRING);
	assert_string_equal(f->type, "__data_loc char[]");
	assert_string_equal(f->name, "name");
	f = field("__rel_loc u64[] vals;\toffset:8;\tsize:4;\tsigned:0;", 8);
	assert_int_equal(f->place, KFT_FIELD_REL_LOC);
	assert_int_equal(f->kind, KFT_FIELD_ARRAY);
	assert_int_equal(f->elem_size, 8);
	f = field("__data_loc cpumask_t mask;\toffset:8;\tsize:4;\tsigned:0;", 4);
	assert_int_equal(f->kind, KFT_FIELD_ARRAY);
	assert_int_equal(f->elem_size, 4);
	f = field("u32 buf[];\toffset:24;\tsize:0;\tsigned:0;", 8);
	assert_int_equal(f->place, KFT_FIELD_TAIL);
	assert_int_equal(f->elem_size, 4);
	f = field("__data_loc char[][2] arg;\toffset:8;\tsize:8;\tsigned:0;", 8);
	assert_int_equal(f->place, KFT_FIELD_INLINE);
	assert_int_equal(f->kind, KFT_FIELD_ARRAY);
	assert_int_equal(f->elem_size, 4);
	f = field("__data_loc char[] comm;\toffset:8;\tsize:8;\tsigned:0;", 8);
	assert_int_equal(f->place, KFT_FIELD_DATA_LOC);
	f = field("u32 arr[];\toffset:36;\tsize:12;\tsigned:0;", 8);
	assert_int_equal(f->place, KFT_FIELD_INLINE);
	assert_int_equal(f->elem_size, 4);
	f = field("__data_loc char[] arg[2];\toffset:8;\tsize:8;\tsigned:0;", 8);
	assert_int_equal(f->place, KFT_FIELD_INLINE);
	assert_int_equal(f->elem_size, 4);
}

static void pointers_and_longs_are_known(void **state)
{
	const struct kft_field *f;

	f = field("const char * name;\toffset:8;\tsize:8;\tsigned:0;", 8);
	assert_true(f->is_pointer && f->is_long);
	f = field("void (*fn)(struct x *a);\toffset:8;\tsize:8;\tsigned:0;", 8);
	assert_string_equal(f->name, "fn");
	assert_true(f->is_pointer);
	f = field("initcall_t func;\toffset:8;\tsize:8;\tsigned:0;", 8);
	assert_int_equal(f->kind, KFT_FIELD_INT);
	assert_string_equal(f->type, "initcall_t");
	f = field("unsigned long ret.func;\toffset:8;\tsize:8;", 8);
	assert_string_equal(f->name, "func");
	assert_true(f->is_long && !f->is_pointer);
	f = field("bool on;\toffset:8;\tsize:1;\tsigned:0;", 8);
	assert_int_equal(f->kind, KFT_FIELD_INT);
	f = field("struct timeval tv;\toffset:8;\tsize:8;\tsigned:0;", 8);
	assert_int_equal(f->kind, KFT_FIELD_OTHER);
	f = field("const char __attribute__((user)) * s;\toffset:8;\tsize:8;\tsigned:0;",
		  8);
	assert_true(f->is_pointer);
	assert_string_equal(f->name, "s");
}

static void broken_texts_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"name: ev\nformat:\n",
		"ID: 4\nformat:\n",
		"name: ev\nID: 70000\nformat:\n",
		"name: ev\nID: 4\n",
		HEAD "\tfield:int x;\toffset:8;\n",
		HEAD "\tfield:int x;\tsize:8;\n",
		HEAD "\tfield:int x;\toffset:8;\tsize:65537;\n",
		HEAD "\tfield:int x;\toffset:65536;\tsize:1;\n",
		HEAD "\tfield:int x;\toffset:-1;\tsize:1;\n",
		HEAD "\tfield:x;\toffset:8;\tsize:1;\n",
		HEAD "\tfield:int ];\toffset:8;\tsize:1;\n",
		HEAD "\tfield:int x\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(parse(bad[i]), -EINVAL);
}

static void every_truncation_is_safe(void **state)
{
	static const char text[] = HEAD COMMON
		"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		"\nprint fmt: \"comm=%s\", REC->comm\n";

	for (size_t n = 0; n < sizeof(text); n++) {
		char *copy = malloc(n + 1);

		memcpy(copy, text, n);
		kft_arena_finish(&arena);
		int r = kft_format_parse("s", copy, n, 8, NULL, &arena, &cls);
		assert_true(r == 0 || r == -EINVAL);
		free(copy);
	}
}

#define PID "\tfield:int pid;\toffset:8;\tsize:4;\tsigned:1;\n"

/* Parses the text behind the other one. */
static void parse_like(const char *other, const char *text)
{
	struct kft_class like_cls;
	const struct kft_class_text like = {
		.text = other, .len = strlen(other), .cls = &like_cls};

	kft_arena_finish(&arena);
	assert_int_equal(
		kft_format_parse("s", other, strlen(other), 8, NULL, &arena, &like_cls),
		0);
	assert_int_equal(
		kft_format_parse("s", text, strlen(text), 8, &like, &arena, &cls), 0);
}

static void lines_that_were_parsed_before_mean_the_same_again(void **state)
{
	parse_like(HEAD COMMON PID "\tfield:u32 a;\toffset:12;\tsize:4;\tsigned:0;\n",
		   HEAD COMMON PID
		   "\tfield:char b[4];\toffset:12;\tsize:4;\tsigned:0;\n");
	assert_int_equal(cls.n_fields, 3);
	assert_int_equal(cls.n_common, 1);
	assert_string_equal(cls.fields[1].name, "pid");
	assert_true(cls.fields[1].is_signed && !cls.fields[1].is_common);
	assert_string_equal(cls.fields[2].name, "b");
	assert_int_equal(cls.fields[2].kind, KFT_FIELD_STRING);
	/* Its last line may go on here. */
	parse_like(HEAD COMMON "\tfield:int pid;\toffset:8;\tsize:4;", HEAD COMMON PID);
	assert_true(cls.fields[1].is_signed);
	/* Its fields may begin elsewhere than they seem to. */
	parse_like("name: ev\nID: 42\n format:\n" COMMON
		   "print fmt: \"\nformat:\n" PID PID "\"\n",
		   HEAD PID PID "\nprint fmt: \"\"\n");
	assert_int_equal(cls.n_fields, 2);
	assert_string_equal(cls.fields[0].name, "pid");
	assert_string_equal(cls.fields[1].name, "pid");
}

static void too_many_fields_are_refused(void **state)
{
	char *text = malloc(200 * 1024);
	size_t n = 0;

	assert_non_null(text);
	n += snprintf(text, 100, HEAD);
	for (int i = 0; i <= KFT_FORMAT_FIELD_MAX; i++)
		n += snprintf(text + n, 100, "\tfield:int x%d;\toffset:0;\tsize:4;\n", i);
	assert_int_equal(parse(text), -EINVAL);
	free(text);
}

static int free_arena(void **state)
{
	kft_arena_finish(&arena);
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(a_class_is_read, free_arena),
	cmocka_unit_test_teardown(arrays_know_their_elements, free_arena),
	cmocka_unit_test_teardown(dynamic_places_are_told_apart, free_arena),
	cmocka_unit_test_teardown(pointers_and_longs_are_known, free_arena),
	cmocka_unit_test_teardown(broken_texts_are_refused, free_arena),
	cmocka_unit_test_teardown(every_truncation_is_safe, free_arena),
	cmocka_unit_test_teardown(lines_that_were_parsed_before_mean_the_same_again,
				  free_arena),
	cmocka_unit_test_teardown(too_many_fields_are_refused, free_arena),
};

T_MAIN(tests)
