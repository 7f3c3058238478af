// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <string.h>

#include "plan/kft/lexer.h"

static struct kft_lexer lexer;

static void start(const char *text)
{
	kft_lexer_init(&lexer, text, strlen(text));
}

static void next_is(enum kft_token_kind kind, const char *text, uint32_t line,
		    uint32_t col)
{
	struct kft_token t = kft_lexer_next(&lexer);

	assert_int_equal(t.kind, kind);
	assert_int_equal(t.len, strlen(text));
	assert_memory_equal(t.text, text, t.len);
	assert_int_equal(t.pos.line, line);
	assert_int_equal(t.pos.col, col);
}

static void words_have_places(void **state)
{
	start("new\nbegin\r\n\ttrigger  start\f\vend");
	next_is(KFT_TOKEN_WORD, "new", 1, 1);
	next_is(KFT_TOKEN_WORD, "begin", 2, 1);
	next_is(KFT_TOKEN_WORD, "trigger", 3, 2);
	next_is(KFT_TOKEN_WORD, "start", 3, 11);
	next_is(KFT_TOKEN_WORD, "end", 3, 18);
	next_is(KFT_TOKEN_END, "", 3, 21);
	next_is(KFT_TOKEN_END, "", 3, 21);
}

static void comments_end_with_their_line(void **state)
{
	start("# a, \"b\nfilter#c\x01\n# d");
	next_is(KFT_TOKEN_WORD, "filter", 2, 1);
	next_is(KFT_TOKEN_END, "", 3, 4);
}

static void commas_stand_alone(void **state)
{
	start("a,b ,");
	next_is(KFT_TOKEN_WORD, "a", 1, 1);
	next_is(KFT_TOKEN_COMMA, ",", 1, 2);
	next_is(KFT_TOKEN_WORD, "b", 1, 3);
	next_is(KFT_TOKEN_COMMA, ",", 1, 5);
	next_is(KFT_TOKEN_END, "", 1, 6);
}

static void strings_hold_anything_printable(void **state)
{
	start("\"Web Content\"x\"\" \"#,\" \"open\nend");
	next_is(KFT_TOKEN_STRING, "Web Content", 1, 1);
	next_is(KFT_TOKEN_WORD, "x", 1, 14);
	next_is(KFT_TOKEN_STRING, "", 1, 15);
	next_is(KFT_TOKEN_STRING, "#,", 1, 18);
	next_is(KFT_TOKEN_UNCLOSED, "open", 1, 23);
	next_is(KFT_TOKEN_WORD, "end", 2, 1);
	start("\"");
	next_is(KFT_TOKEN_UNCLOSED, "", 1, 1);
	next_is(KFT_TOKEN_END, "", 1, 2);
}

static void control_bytes_are_no_words(void **state)
{
	static const char text[] = "a\0b\x7f";

	kft_lexer_init(&lexer, text, sizeof(text) - 1);
	next_is(KFT_TOKEN_WORD, "a", 1, 1);
	struct kft_token t = kft_lexer_next(&lexer);
	assert_int_equal(t.kind, KFT_TOKEN_BAD_BYTE);
	assert_int_equal(t.len, 1);
	next_is(KFT_TOKEN_WORD, "b", 1, 3);
	next_is(KFT_TOKEN_BAD_BYTE, "\x7f", 1, 4);
	next_is(KFT_TOKEN_END, "", 1, 5);
}

static void a_byte_order_mark_is_skipped(void **state)
{
	start("\xef\xbb\xbf"
	      "begin 5\xc2\xb5s");
	next_is(KFT_TOKEN_WORD, "begin", 1, 1);
	next_is(KFT_TOKEN_WORD, "5\xc2\xb5s", 1, 7);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(words_have_places),
	cmocka_unit_test(comments_end_with_their_line),
	cmocka_unit_test(commas_stand_alone),
	cmocka_unit_test(strings_hold_anything_printable),
	cmocka_unit_test(control_bytes_are_no_words),
	cmocka_unit_test(a_byte_order_mark_is_skipped),
};

T_MAIN(tests)
