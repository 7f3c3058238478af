// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "plan/sym2addr.h"

static const char map[] = "c0100000 T _stext\n"
			  "c001d804 T do_fork\n"
			  "c0200000 t stop\n"
			  "c0200100 t twice\n"
			  "c0200200 t twice\n"
			  "bad line\n"
			  "f0000000 t in_module\t[ext2]\n"
			  "ffffffff81000000 T last";

static struct kft_sym2addr_counts expect(const char *text, const char *result)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_sym2addr_counts counts;

	assert_int_equal(
		kft_config_sym2addr(text, strlen(text), map, strlen(map), &sb, &counts),
		0);
	assert_string_equal(kft_strbuf_cstr(&sb), result);
	return counts;
}

static void functions_become_addresses_and_the_rest_stays(void **state)
{
	struct kft_sym2addr_counts counts =
		expect("new\nbegin\n\ttrigger start entry do_fork # do_fork\n"
		       "  filter funclist do_fork, last  nobody 0x10 fend\nend\n",
		       "new\nbegin\n\ttrigger start entry 0xc001d804 # do_fork\n"
		       "  filter funclist 0xc001d804, 0xffffffff81000000  nobody 0x10 "
		       "fend\nend\n");

	assert_int_equal(counts.replaced, 3);
	assert_int_equal(counts.ambiguous, 0);
	assert_false(counts.hidden);
}

static void keywords_are_no_functions_unless_quoted(void **state)
{
	expect("trigger stop entry \"stop\"", "trigger stop entry 0xc0200000");
}

static void modules_and_whole_names_only(void **state)
{
	expect("in_module do_for do_forks", "0xf0000000 do_for do_forks");
}

static void the_first_of_several_is_taken_and_told(void **state)
{
	struct kft_sym2addr_counts counts = expect("twice twice",
						   "0xc0200100 0xc0200100");

	assert_int_equal(counts.ambiguous, 2);
	assert_int_equal(counts.an_ambiguous_len, 5);
	assert_memory_equal(counts.an_ambiguous, "twice", 5);
}

static void hidden_addresses_are_seen(void **state)
{
	static const char zeros[] = "00000000 T do_fork\n0000000000000000 T x\n";
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_sym2addr_counts counts;

	assert_int_equal(kft_config_sym2addr("x", 1, zeros, strlen(zeros), &sb, &counts),
			 0);
	assert_true(counts.hidden);
}

/* Each length in memory of its own, so that a read past it is seen by ASan. */
static void maps_can_end_anywhere(void **state)
{
	for (size_t len = 0; len < sizeof(map); len++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
		struct kft_sym2addr_counts counts;
		char *copy = malloc(len ? len : 1);

		assert_non_null(copy);
		memcpy(copy, map, len);
		assert_int_equal(kft_config_sym2addr("last", 4, copy, len, &sb, &counts),
				 0);
		assert_int_equal(counts.replaced, len >= sizeof(map) - 1);
		free(copy);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(functions_become_addresses_and_the_rest_stays),
	cmocka_unit_test(keywords_are_no_functions_unless_quoted),
	cmocka_unit_test(modules_and_whole_names_only),
	cmocka_unit_test(the_first_of_several_is_taken_and_told),
	cmocka_unit_test(hidden_addresses_are_seen),
	cmocka_unit_test(maps_can_end_anywhere),
};

T_MAIN(tests)
