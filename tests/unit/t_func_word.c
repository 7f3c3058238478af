// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "model/func_word.h"

static int kind_of(const char *word)
{
	enum kft_func_kind kind;
	uint64_t addr;
	int r = kft_func_word_parse(word, &kind, &addr);

	return r < 0 ? r : (int)kind;
}

static void words_have_kinds(void **state)
{
	assert_int_equal(kind_of("schedule"), KFT_FUNC_NAME);
	assert_int_equal(kind_of("__x64_sys_read"), KFT_FUNC_NAME);
	assert_int_equal(kind_of("shrink_slab.constprop.0"), KFT_FUNC_NAME);
	assert_int_equal(kind_of("vfs_*"), KFT_FUNC_GLOB);
	assert_int_equal(kind_of("ext[2-4]_readdir"), KFT_FUNC_GLOB);
	assert_int_equal(kind_of("[!_]*"), KFT_FUNC_GLOB);
	assert_int_equal(kind_of("0xc02cb754"), KFT_FUNC_ADDR);
}

static void other_words_are_refused(void **state)
{
	char longer[KFT_FUNC_WORD_MAX + 1];

	assert_int_equal(kind_of(""), -EINVAL);
	assert_int_equal(kind_of("500"), -EINVAL);
	assert_int_equal(kind_of("0x"), -EINVAL);
	assert_int_equal(kind_of("0x12g"), -EINVAL);
	assert_int_equal(kind_of("a-b"), -EINVAL);
	assert_int_equal(kind_of("a]"), -EINVAL);
	assert_int_equal(kind_of("a[b"), -EINVAL);
	assert_int_equal(kind_of("a\n"), -EINVAL);
	memset(longer, 'a', sizeof(longer) - 1);
	longer[KFT_FUNC_WORD_MAX] = '\0';
	assert_int_equal(kind_of(longer), -EINVAL);
	longer[KFT_FUNC_WORD_MAX - 1] = '\0';
	assert_int_equal(kind_of(longer), KFT_FUNC_NAME);
}

static void addresses_have_64_bits(void **state)
{
	enum kft_func_kind kind;
	uint64_t addr;

	assert_int_equal(kft_func_word_parse("0xFFFFffff81000abc", &kind, &addr), 0);
	assert_true(addr == UINT64_C(0xffffffff81000abc));
	assert_int_equal(kft_func_word_parse("0x00000000000000000001", &kind, &addr), 0);
	assert_true(addr == 1);
	assert_int_equal(kind_of("0x1ffffffffffffffff"), -ERANGE);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(words_have_kinds),
	cmocka_unit_test(other_words_are_refused),
	cmocka_unit_test(addresses_have_64_bits),
};

T_MAIN(tests)
