// SPDX-License-Identifier: GPL-2.0-only
/* Numbers and words are found in texts that may hold anything. */
#include "t.h"

#include "base/scan.h"

static void numbers_are_taken_up_to_what_is_none(void **state)
{
	const char *p = " 12ab";
	uint64_t n;

	assert_true(kft_scan_u64(&p, &n));
	assert_int_equal(n, 12);
	assert_string_equal(p, "ab");
	assert_true(kft_scan_hex(&p, &n));
	assert_int_equal(n, 0xab);
	assert_string_equal(p, "");
	assert_false(kft_scan_u64(&p, &n));
	p = "0xFfg 0x 0";
	assert_true(kft_scan_hex(&p, &n));
	assert_int_equal(n, 0xff);
	assert_string_equal(p, "g 0x 0");
	p++;
	/* Without digits behind it, 0x is a 0. */
	assert_true(kft_scan_hex(&p, &n));
	assert_int_equal(n, 0);
	assert_string_equal(p, "x 0");
}

static void numbers_that_are_too_large_are_none(void **state)
{
	const char *p = "18446744073709551615";
	const char *too_large = "18446744073709551616";
	const char *hex = "10000000000000000";
	const char *word = "4294967296";
	uint64_t n;
	uint32_t small;

	assert_true(kft_scan_u64(&p, &n));
	assert_true(n == UINT64_MAX);
	assert_false(kft_scan_u64(&too_large, &n));
	assert_string_equal(too_large, "18446744073709551616");
	assert_false(kft_scan_hex(&hex, &n));
	assert_false(kft_scan_u32(&word, &small));
	assert_string_equal(word, "4294967296");
	word = "4294967295";
	assert_true(kft_scan_u32(&word, &small));
	assert_int_equal(small, UINT32_MAX);
	p = "-1";
	assert_false(kft_scan_u64(&p, &n));
}

static void blanks_of_a_text_stand_for_any(void **state)
{
	const char *p = "top  1\tgraph\n2";
	uint32_t n;

	assert_true(kft_scan_text(&p, "top "));
	assert_true(kft_scan_u32(&p, &n));
	assert_false(kft_scan_text(&p, " grass"));
	assert_string_equal(p, "\tgraph\n2");
	assert_true(kft_scan_text(&p, " graph "));
	assert_string_equal(p, "2");
	assert_false(kft_scan_text(&p, "2 3"));
}

static void words_end_at_blanks(void **state)
{
	const char *p = "  one two";
	const char *word;
	size_t len;

	assert_true(kft_scan_word(&p, &word, &len));
	assert_int_equal(len, 3);
	assert_memory_equal(word, "one", 3);
	assert_true(kft_scan_word(&p, NULL, NULL));
	assert_string_equal(p, "");
	assert_false(kft_scan_word(&p, &word, &len));
	p = " \n";
	assert_false(kft_scan_word(&p, &word, &len));
	assert_string_equal(p, " \n");
}

static void numbers_have_names(void **state)
{
	uint64_t n;

	assert_true(kft_scan_named("MemFree: 1 kB\nMemTotal:  22 kB\n", "MemTotal:", &n));
	assert_int_equal(n, 22);
	assert_false(kft_scan_named("MemFree: 1 kB\n", "MemTotal:", &n));
	assert_false(kft_scan_named("MemTotal: kB\n", "MemTotal:", &n));
}

static void a_word_of_a_list_is_whole(void **state)
{
	assert_true(kft_has_word("local [mono] boot\n", "mono"));
	assert_true(kft_has_word("local [mono] boot\n", "boot"));
	assert_true(kft_has_word("function_graph function nop", "function"));
	assert_false(kft_has_word("function_graph nop", "function"));
	assert_false(kft_has_word("mono_raw xmono mon", "mono"));
	assert_false(kft_has_word("local mono", "local mono"));
	assert_false(kft_has_word("local", ""));
	assert_false(kft_has_word("", "local"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_taken_up_to_what_is_none),
		cmocka_unit_test(numbers_that_are_too_large_are_none),
		cmocka_unit_test(blanks_of_a_text_stand_for_any),
		cmocka_unit_test(words_end_at_blanks),
		cmocka_unit_test(numbers_have_names),
		cmocka_unit_test(a_word_of_a_list_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
