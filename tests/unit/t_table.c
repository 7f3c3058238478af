// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "output/table.h"

static const struct kft_table_column columns[] = {
	{"EVENT"},
	{"COUNT", true},
	{"NOTE"},
};

static void columns_fit_their_widest_cell(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_table_finish) struct kft_table t = KFT_TABLE(columns);

	kft_table_text(&t, "sched_switch");
	kft_table_text(&t, "1,234,567");
	kft_table_text(&t, "");
	kft_table_text(&t, "x");
	kft_table_text(&t, "0");
	kft_table_text(&t, "5%");
	kft_table_write(&t, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "EVENT             COUNT  NOTE\n"
						  "sched_switch  1,234,567\n"
						  "x                     0  5%\n");
}

static void width_is_what_a_terminal_shows(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_table_finish) struct kft_table t = KFT_TABLE(columns);

	/* two wide characters, one with an accent of its own, one combined */
	kft_table_text(&t, "\xe6\xbc\xa2\xe5\xad\x97");
	kft_table_text(&t, "1");
	kft_table_text(&t, "a");
	kft_table_text(&t, "\xc3\xa9"
			   "e\xcc\x81");
	kft_table_text(&t, "2");
	kft_table_text(&t, "b");
	kft_table_write(&t, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "EVENT  COUNT  NOTE\n"
						  "\xe6\xbc\xa2\xe5\xad\x97       1  a\n"
						  "\xc3\xa9"
						  "e\xcc\x81         2  b\n");
}

static void names_cannot_drive_the_terminal(void **state)
{
	static const struct kft_table_column untitled[] = {{NULL}, {NULL}};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_table_finish) struct kft_table t = KFT_TABLE(untitled);

	kft_table_text(&t, "a\033[1m\n");
	kft_table_text(&t, "b");
	kft_table_text(&t, "c");
	kft_table_text(&t, "d");
	kft_table_write(&t, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "a\\x1b[1m\\n  b\nc           d\n");
}

static void an_empty_table_has_its_titles(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_table_finish) struct kft_table t = KFT_TABLE(columns);

	kft_table_write(&t, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "EVENT  COUNT  NOTE\n");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(columns_fit_their_widest_cell),
	cmocka_unit_test(width_is_what_a_terminal_shows),
	cmocka_unit_test(names_cannot_drive_the_terminal),
	cmocka_unit_test(an_empty_table_has_its_titles),
};

T_MAIN(tests)
