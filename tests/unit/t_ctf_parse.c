// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "file/ctf/tsdl/parse.h"

#define TRACE "trace { major = 1; minor = 8; byte_order = be; };\n"

static struct kft_ctf_meta meta;
static struct kft_err err;

static int parse(const char *text)
{
	kft_ctf_meta_finish(&meta);
	meta = (struct kft_ctf_meta){};
	err = (struct kft_err){};
	return kft_ctf_parse(text, strlen(text), &meta, &err);
}

static int end(void **state)
{
	kft_ctf_meta_finish(&meta);
	meta = (struct kft_ctf_meta){};
	return 0;
}

/* The type of the only field of the only event. */
static const struct kft_ctf_type *field_of(const char *before, const char *field)
{
	char text[4096];

	(void)snprintf(text, sizeof(text),
		       TRACE "%s event { name = e; fields := struct { %s }; };", before,
		       field);
	int r = parse(text);
	if (r < 0)
		fail_msg("%s: %s", text, err.msg);
	assert_int_equal(meta.events.len, 1);
	const struct kft_ctf_type *fields = meta.events.data[0].fields;
	assert_int_equal(fields->n_members, 1);
	return fields->members[0].type;
}

static void integers_have_what_is_said_of_them(void **state)
{
	const struct kft_ctf_type *t = field_of(
		"", "integer { size = 0x10; align = 32; signed = true; base = hex; "
		    "byte_order = le; encoding = UTF8; unheard_of = 3; } x;");

	assert_int_equal(t->kind, KFT_CTF_INT);
	assert_int_equal(t->size, 16);
	assert_int_equal(t->align, 32);
	assert_int_equal(t->base, 16);
	assert_true(t->is_signed && t->is_text && !t->big_endian);
	assert_int_equal(t->clock, KFT_CTF_NO_CLOCK);
}

static void without_words_integers_are_native_and_aligned_to_bytes_or_bits(void **state)
{
	const struct kft_ctf_type *t = field_of("", "integer { size = 24; } x;");

	assert_true(t->big_endian && !t->is_signed && !t->is_text);
	assert_int_equal(t->align, 8);
	t = field_of("", "integer { size = 5; } x;");
	assert_int_equal(t->align, 1);
}

/* LTTng declares integers before it says the byte order. */
static void native_is_what_the_trace_block_says_later(void **state)
{
	assert_int_equal(parse("typealias integer { size = 8; } := u8;\n" TRACE
			       "event { name = e; fields := struct { u8 a; }; };"),
			 0);
	assert_true(meta.events.data[0].fields->members[0].type->big_endian);
}

static void names_of_types_are_found_in_the_blocks_around(void **state)
{
	const struct kft_ctf_type *t =
		field_of("typealias integer { size = 64; } := unsigned long;\n"
			 "typedef unsigned long word, words[2];\n",
			 "words x;");

	assert_int_equal(t->kind, KFT_CTF_ARRAY);
	assert_int_equal(t->length, 2);
	assert_int_equal(t->elem->size, 64);
	t = field_of("struct s { integer { size = 8; align = 16; } a; } align(64);",
		     "struct s _x;");
	assert_int_equal(t->kind, KFT_CTF_STRUCT);
	assert_int_equal(t->align, 64);
	assert_string_equal(meta.events.data[0].fields->members[0].name, "x");
	assert_true(parse(TRACE "stream { typealias integer { size = 8; } := u8; };\n"
				"event { fields := struct { u8 a; }; };") < 0);
}

static void arrays_of_arrays_are_as_in_c(void **state)
{
	const struct kft_ctf_type *t = field_of("", "integer { size = 8; } x[2][n.len];");

	assert_int_equal(t->kind, KFT_CTF_ARRAY);
	assert_int_equal(t->length, 2);
	assert_int_equal(t->elem->kind, KFT_CTF_SEQUENCE);
	assert_string_equal(t->elem->ref, "n.len");
	assert_int_equal(t->elem->elem->kind, KFT_CTF_INT);
}

static void enums_count_on(void **state)
{
	const struct kft_ctf_type *t = field_of(
		"", "enum : integer { size = 8; signed = 1; } { A = -2, B, \"c \\\"d\" = "
		    "5 ... 0x9, E, } x;");

	assert_int_equal(t->kind, KFT_CTF_ENUM);
	assert_int_equal(t->n_labels, 4);
	assert_true(t->labels[0].lo == (uint64_t)-2);
	assert_true(t->labels[1].lo == (uint64_t)-1);
	assert_string_equal(t->labels[2].name, "c \"d");
	assert_int_equal(t->labels[2].hi, 9);
	assert_int_equal(t->labels[3].lo, 10);
	assert_true(kft_ctf_label_has(t, &t->labels[0], (uint64_t)-2));
	assert_false(kft_ctf_label_has(t, &t->labels[2], (uint64_t)-2));
}

static void clocks_are_mapped_before_and_after_they_are_declared(void **state)
{
	assert_int_equal(
		parse(TRACE
		      "typealias integer { size = 27; map = clock.m.value; } := t;\n"
		      "clock { name = m; freq = 1000; offset_s = 5; offset = -3; };\n"
		      "clock { name = \"n\"; };\n"
		      "event { fields := struct { t a; integer { size = 8; "
		      "map = clock.n.value; } b; }; };"),
		0);
	assert_int_equal(meta.clocks.len, 2);
	assert_int_equal(meta.clocks.data[0].freq, 1000);
	assert_int_equal(meta.clocks.data[0].offset_s, 5);
	assert_int_equal(meta.clocks.data[0].offset, -3);
	assert_int_equal(meta.clocks.data[1].freq, 1000000000);
	assert_int_equal(meta.events.data[0].fields->members[0].type->clock, 0);
	assert_int_equal(meta.events.data[0].fields->members[1].type->clock, 1);
}

static void characters_are_numbers(void **state)
{
	const struct kft_ctf_type *t = field_of(
		"", "enum : integer { size = 8; } { A = 'a', N = '\\n', Q = '\\'', "
		    "X = '\\x41', O = '\\101', Z = '\\0', S = ' ' ... '~' } x;");
	static const struct {
		const char *name;
		uint64_t value;
	} labels[] = {{"A", 'a'},  {"N", '\n'}, {"Q", '\''}, {"X", 0x41},
		      {"O", 0x41}, {"Z", 0},	{"S", ' '}};

	assert_int_equal(t->n_labels, ARRAY_SIZE(labels));
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		assert_string_equal(t->labels[i].name, labels[i].name);
		assert_int_equal(t->labels[i].lo, labels[i].value);
	}
	assert_int_equal(t->labels[6].hi, '~');
	static const char *const bad[] = {"'",	   "''",      "'ab'", "'\\q'",
					  "'\\x'", "'\\777'", "'\\"};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		char text[200];

		(void)snprintf(text, sizeof(text), TRACE "event { name = e; id = %s; };",
			       bad[i]);
		assert_int_equal(parse(text), -EINVAL);
	}
}

static void the_environment_and_the_uuid_are_kept(void **state)
{
	assert_int_equal(parse("/* CTF 1.8 */ trace { byte_order = le; // end\n"
			       "uuid = \"2a6422d0-6cee-11e0-8c08-cb07d7b3a564\"; };\n"
			       "env { a = \"b c\"; n = 7; };"),
			 0);
	assert_true(meta.has_uuid);
	assert_int_equal(meta.uuid[0], 0x2a);
	assert_int_equal(meta.uuid[15], 0x64);
	assert_string_equal(kft_ctf_env_get(&meta, "a"), "b c");
	assert_string_equal(kft_ctf_env_get(&meta, "n"), "7");
	assert_null(kft_ctf_env_get(&meta, "b"));
	/* There is a stream, if it is not described. */
	assert_int_equal(meta.streams.len, 1);
}

static void errors_say_where(void **state)
{
	static const struct {
		const char *text;
		const char *where;
		const char *what;
	} wrong[] = {
		{"", "line 1, column 1", "byte order"},
		{TRACE "event {\n  name := 3; };", "line 3, column 11", "type"},
		{TRACE "event { fields := struct { u9 a; }; };", "column 28: 'u9'",
		 "no such type"},
		{TRACE "struct { integer { size = 65; } a; };", "line 2", "out of range"},
		{TRACE "struct { integer { size = 8; align = 3; } a; };", "line 2",
		 "power of two"},
		{TRACE "struct { integer { } a; };", "line 2", "size"},
		{TRACE "struct { integer { size = 8; } a[99999999999]; };", "line 2",
		 "too long"},
		{TRACE "struct { floating_point { exp_dig = 3; mant_dig = 4; } a; };",
		 "line 2", "floats"},
		{TRACE "enum x { A };", "line 2", "integer type"},
		{TRACE "stream { id = 1; }; stream { id = 1; };", "line 2", "this id"},
		{TRACE "nonsense", "column 1: 'nonsense'", "declaration"},
		{"trace { byte_order = le; major = 2; };", "line 1", "version 1"},
		{TRACE "env { a = \"never closed", "line 2", "number"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(parse(wrong[i].text), -EINVAL);
		assert_int_equal(err.code, -EINVAL);
		if (!strstr(err.msg, wrong[i].where) || !strstr(err.msg, wrong[i].what))
			fail_msg("%s: %s", wrong[i].text, err.msg);
	}
}

static void nesting_has_a_limit(void **state)
{
	struct kft_strbuf sb = {};

	kft_strbuf_adds(&sb, TRACE);
	for (unsigned int i = 0; i < 100000; i++)
		kft_strbuf_adds(&sb, "struct { ");
	assert_int_equal(parse(kft_strbuf_cstr(&sb)), -EINVAL);
	assert_non_null(strstr(err.msg, "nested"));
	kft_strbuf_finish(&sb);
}

static void members_have_a_limit(void **state)
{
	struct kft_strbuf sb = {};

	kft_strbuf_adds(&sb, TRACE "struct {");
	for (unsigned int i = 0; i <= KFT_CTF_MEMBERS_MAX; i++)
		kft_strbuf_addf(&sb, "string a%u;", i);
	kft_strbuf_adds(&sb, "};");
	assert_int_equal(parse(kft_strbuf_cstr(&sb)), -EINVAL);
	assert_non_null(strstr(err.msg, "too many"));
	kft_strbuf_finish(&sb);
}

/* A text that ends anywhere is an error or the shorter text that it looks like. */
static void a_text_may_be_cut_anywhere(void **state)
{
	static const char text[] = TRACE
		"env { a = \"b\"; };\nclock { name = m; };\n"
		"typealias integer { size = 8; map = clock.m.value; } := u8;\n"
		"stream { id = 0; event.header := struct { u8 id; } align(8); };\n"
		"event { name = \"e\"; fields := struct { enum : u8 { A = 1 ... 2 } k;"
		" variant <k> { string A; } v; u8 s[k]; }; };\n";
	unsigned int good = 0;

	for (size_t n = 0; n < sizeof(text); n++) {
		kft_ctf_meta_finish(&meta);
		meta = (struct kft_ctf_meta){};
		err = (struct kft_err){};
		int r = kft_ctf_parse(text, n, &meta, &err);
		assert_true(r == 0 || (r == -EINVAL && *err.msg));
		good += r == 0;
	}
	assert_in_range(good, 6, 30);
	assert_int_equal(meta.events.len, 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(integers_have_what_is_said_of_them),
	cmocka_unit_test(without_words_integers_are_native_and_aligned_to_bytes_or_bits),
	cmocka_unit_test(native_is_what_the_trace_block_says_later),
	cmocka_unit_test(names_of_types_are_found_in_the_blocks_around),
	cmocka_unit_test(arrays_of_arrays_are_as_in_c),
	cmocka_unit_test(enums_count_on),
	cmocka_unit_test(clocks_are_mapped_before_and_after_they_are_declared),
	cmocka_unit_test_teardown(characters_are_numbers, end),
	cmocka_unit_test(the_environment_and_the_uuid_are_kept),
	cmocka_unit_test(errors_say_where),
	cmocka_unit_test(nesting_has_a_limit),
	cmocka_unit_test(members_have_a_limit),
	cmocka_unit_test_teardown(a_text_may_be_cut_anywhere, end),
};

T_MAIN(tests)
