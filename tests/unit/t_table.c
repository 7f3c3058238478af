// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "output/result/table.h"
#include "output/result/text_width.h"

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

static const struct kft_table_column wide[] = {
	{"TIME", .right = true},
	{"REASON"},
	{"PID", .right = true, .detail = true},
	{"LONGEST", .right = true, .detail = true},
	{"CHAIN"},
};

static void assert_wide(size_t width, const char *expected)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_table_finish) struct kft_table t = KFT_TABLE(wide);

	t.width = width;
	kft_table_text(&t, "17.682 ms");
	kft_table_text(&t, "waiting for a request of a disk");
	kft_table_text(&t, "4446");
	kft_table_text(&t, "17.606 ms");
	kft_table_text(&t, "ext4_end_io_rsv_work and others");
	kft_table_write(&t, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), expected);
}

static void text_is_wrapped_to_the_terminal(void **state)
{
	assert_wide(0,
		    "     TIME  REASON                            PID    LONGEST  CHAIN\n"
		    "17.682 ms  waiting for a request of a disk  4446  17.606 ms  "
		    "ext4_end_io_rsv_work and others\n");
	assert_wide(92,
		    "     TIME  REASON                            PID    LONGEST  CHAIN\n"
		    "17.682 ms  waiting for a request of a disk  4446  17.606 ms  "
		    "ext4_end_io_rsv_work and others\n");
	assert_wide(
		70,
		"     TIME  REASON                 PID    LONGEST  CHAIN\n"
		"17.682 ms  waiting for a         4446  17.606 ms  ext4_end_io_rsv_work\n"
		"           request of a disk                      and others\n");
}

static void columns_are_hidden_when_wrapping_is_not_enough(void **state)
{
	assert_wide(56, "     TIME  REASON               PID  CHAIN\n"
			"17.682 ms  waiting for a       4446  ext4_end_io_rsv_wor\n"
			"           request of a disk         k and others\n"
			"(not shown, as the terminal is too narrow: LONGEST)\n");
	assert_wide(28, "     TIME  REASON\n"
			"17.682 ms  waiting for a\n"
			"           request of a disk\n"
			"(not shown, as the terminal\n"
			"is too narrow: PID, LONGEST,\n"
			"CHAIN)\n");
}

static void a_narrow_terminal_has_a_line_for_each_cell(void **state)
{
	assert_wide(26, "TIME     17.682 ms\n"
			"REASON   waiting for a\n"
			"         request of a disk\n"
			"PID      4446\n"
			"LONGEST  17.606 ms\n"
			"CHAIN    ext4_end_io_rsv_w\n"
			"         ork and others\n");
}

static void lines_end_at_blanks_or_within_long_words(void **state)
{
	assert_int_equal(kft_text_line("one two", 7, 7), 7);
	assert_int_equal(kft_text_line("one two", 7, 6), 3);
	assert_int_equal(kft_text_line("one two", 7, 3), 3);
	assert_int_equal(kft_text_line("one", 3, 2), 2);
	assert_int_equal(kft_text_line("one", 3, 0), 1);
	/* A wide character in one column is not cut in two. */
	assert_int_equal(kft_text_line("\xe6\xbc\xa2\xe5\xad\x97", 6, 1), 3);
	assert_int_equal(kft_text_line("\xe6\xbc\xa2\xe5\xad\x97", 6, 3), 3);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(columns_fit_their_widest_cell),
	cmocka_unit_test(width_is_what_a_terminal_shows),
	cmocka_unit_test(names_cannot_drive_the_terminal),
	cmocka_unit_test(an_empty_table_has_its_titles),
	cmocka_unit_test(text_is_wrapped_to_the_terminal),
	cmocka_unit_test(columns_are_hidden_when_wrapping_is_not_enough),
	cmocka_unit_test(a_narrow_terminal_has_a_line_for_each_cell),
	cmocka_unit_test(lines_end_at_blanks_or_within_long_words),
};

T_MAIN(tests)
