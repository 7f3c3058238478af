// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/printfmt/lex.h"

static struct kft_arena arena;

static int finish(void **state)
{
	kft_arena_finish(&arena);
	return 0;
}

static struct kft_fmt_lexer lexer(const char *text)
{
	return (struct kft_fmt_lexer){
		.p = text, .end = text + strlen(text), .arena = &arena};
}

static struct kft_fmt_token one(const char *text)
{
	struct kft_fmt_lexer lx = lexer(text);
	struct kft_fmt_token t;

	kft_fmt_lex(&lx, &t);
	return t;
}

static void numbers_have_value_and_suffix(void **state)
{
	struct kft_fmt_token t = one("0x1fULL");

	assert_int_equal(t.kind, KFT_FMT_NUMBER);
	assert_int_equal(t.number, 0x1f);
	assert_true(t.is_unsigned && !t.is_decimal);
	assert_int_equal(t.longs, 2);
	assert_int_equal(one("017").number, 15);
	assert_int_equal(one("0b101").number, 5);
	assert_int_equal(one("0").number, 0);
	assert_true(one("42").is_decimal);
	assert_int_equal(one("'a'").number, 'a');
	assert_int_equal(one("'\\n'").number, '\n');
	assert_int_equal(one("12ab").kind, KFT_FMT_BAD);
	assert_int_equal(one("''").kind, KFT_FMT_BAD);
	assert_int_equal(one("'a").kind, KFT_FMT_BAD);
}

static void strings_lose_their_escapes_and_join(void **state)
{
	struct kft_fmt_token t = one("\"a\\tb\" \n \"\\x41\\101\\\"\" x");

	assert_int_equal(t.kind, KFT_FMT_STRING);
	assert_string_equal(t.text, "a\tbAA\"");
	assert_int_equal(t.len, 6);
	t = one("\"a\\0b\"");
	assert_int_equal(t.len, 3);
	assert_memory_equal(t.text, "a\0b", 3);
	assert_int_equal(one("\"abc").kind, KFT_FMT_BAD);
	assert_int_equal(one("\"abc\\").kind, KFT_FMT_BAD);
	assert_int_equal(one("\"a\" \"b").kind, KFT_FMT_BAD);
}

static void operators_are_taken_as_long_as_can_be(void **state)
{
	struct kft_fmt_lexer lx = lexer("a->b<<=>");
	struct kft_fmt_token t;

	kft_fmt_lex(&lx, &t);
	assert_true(kft_fmt_token_is_name(&t, "a"));
	assert_false(kft_fmt_token_is_name(&t, "ab"));
	kft_fmt_lex(&lx, &t);
	assert_true(kft_fmt_token_is(&t, KFT_PUNCT2('-', '>')));
	kft_fmt_lex(&lx, &t);
	kft_fmt_lex(&lx, &t);
	assert_true(kft_fmt_token_is(&t, KFT_PUNCT2('<', '<')));
	kft_fmt_lex(&lx, &t);
	assert_true(kft_fmt_token_is(&t, '='));
	kft_fmt_lex(&lx, &t);
	kft_fmt_lex(&lx, &t);
	assert_int_equal(t.kind, KFT_FMT_END);
}

static void formats_may_hold_bare_quotes(void **state)
{
	static const struct {
		const char *text;
		const char *want;
		const char *rest;
	} formats[] = {
		{"\"a\", REC->x", "a", ", REC->x"},
		{"\"\\\"%s\\\"\"", "\"%s\"", ""},
		{"\"n=\"%s\"\", 1", "n=\"%s\"", ", 1"},
		{"\"a\" \"b\"", "ab", ""},
		{"\"a \"b\" c\" , 1", "a \"b\" c", " , 1"},
		{"\"a\\\\\"", "a\\", ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		struct kft_fmt_lexer lx = lexer(formats[i].text);
		struct kft_fmt_token t;

		kft_fmt_lex_format(&lx, &t);
		assert_int_equal(t.kind, KFT_FMT_STRING);
		assert_string_equal(t.text, formats[i].want);
		assert_string_equal(lx.p, formats[i].rest);
	}
	struct kft_fmt_lexer lx = lexer("\"a");
	struct kft_fmt_token t;
	kft_fmt_lex_format(&lx, &t);
	assert_int_equal(t.kind, KFT_FMT_BAD);
	lx = lexer("REC->x");
	kft_fmt_lex_format(&lx, &t);
	assert_int_equal(t.kind, KFT_FMT_BAD);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(numbers_have_value_and_suffix, finish),
	cmocka_unit_test_teardown(strings_lose_their_escapes_and_join, finish),
	cmocka_unit_test_teardown(operators_are_taken_as_long_as_can_be, finish),
	cmocka_unit_test_teardown(formats_may_hold_bare_quotes, finish),
};

T_MAIN(tests)
