// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/module_symbols.h"

#define KERNEL	 "ffffffff81000000 T _text\nffffffff81000100 T vfs_read\n"
#define ALPHA_AT "0xffffffffc0400000"
#define ALPHA	 "alpha 16384 0 - Live " ALPHA_AT "\n"
#define BETA	 "beta 20480 1 alpha,gamma, Live " ALPHA_AT " (OE)\n"
#define FAR	 "far 4096 0 - Live 0xffffffffc0500000\n"
#define ALPHA_SYMBOLS                             \
	"ffffffffc0400000 t alpha_one\t[alpha]\n" \
	"ffffffffc0400100 t alpha_two\t[alpha]\n" \
	"ffffffffc0402000 d alpha_data\t[alpha]\n"
#define BETA_SYMBOLS                            \
	"ffffffffc0400000 t beta_one\t[beta]\n" \
	"ffffffffc0400080 t beta_two\t[beta]\n"
#define FAR_SYMBOLS "ffffffffc0500000 t far_away\t[far]\n"
#define BPF	    "ffffffffc0600000 t bpf_prog_1\t[bpf]\n"

/* What a recorder has between two looks. */
static struct kft_strbuf list;
static struct kft_strbuf blocks;

static int setup(void **state)
{
	kft_strbuf_finish(&list);
	kft_strbuf_finish(&blocks);
	return 0;
}

static void look(const char *proc_text, const char *kallsyms_text)
{
	struct kft_strbuf proc = {};
	struct kft_strbuf now = {};
	struct kft_strbuf gone = {};
	struct kft_strbuf added = {};
	const struct kft_blob kallsyms = {kallsyms_text, strlen(kallsyms_text)};

	kft_strbuf_adds(&proc, proc_text);
	kft_modules_list(&proc, &now);
	kft_modules_minus(&list, &now, &gone);
	kft_modules_minus(&now, &list, &added);
	kft_modules_add_gone(&gone, &blocks);
	kft_modules_add_blocks(&added, &kallsyms, &blocks);
	kft_strbuf_finish(&list);
	list = now;
	kft_strbuf_finish(&proc);
	kft_strbuf_finish(&gone);
	kft_strbuf_finish(&added);
}

static void assert_joined(const char *kallsyms_text, const char *expected)
{
	const struct kft_blob kallsyms = {kallsyms_text, strlen(kallsyms_text)};
	const struct kft_blob kept = {blocks.buf, blocks.len};
	struct kft_strbuf all = {};

	assert_int_equal(kft_modules_join(&kallsyms, &kept, &all), 0);
	assert_string_equal(kft_strbuf_cstr(&all), expected);
	kft_strbuf_finish(&all);
}

static void a_module_is_known_by_name_and_address(void **state)
{
	look(ALPHA BETA FAR "hidden 1 0 - Live\nno line", "");
	assert_string_equal(kft_strbuf_cstr(&list), "alpha " ALPHA_AT "\n"
						    "beta " ALPHA_AT "\n"
						    "far 0xffffffffc0500000\n");
	/* Its users come and go, and its init functions are freed. */
	look("alpha 12288 5 b,c, Live " ALPHA_AT "\n", "");
	assert_string_equal(kft_strbuf_cstr(&blocks), "-beta " ALPHA_AT "\n"
						      "-far 0xffffffffc0500000\n");
}

static void symbols_of_a_module_that_is_gone_stay(void **state)
{
	look(ALPHA FAR, KERNEL ALPHA_SYMBOLS FAR_SYMBOLS BPF);
	look(FAR, KERNEL FAR_SYMBOLS BPF);
	assert_joined(KERNEL FAR_SYMBOLS BPF, KERNEL BPF ALPHA_SYMBOLS FAR_SYMBOLS);
}

static void without_modules_nothing_changes(void **state)
{
	look("", KERNEL BPF);
	assert_int_equal(blocks.len, 0);
	assert_joined(KERNEL BPF, KERNEL BPF);
}

static void a_module_that_lies_where_another_one_did_has_addresses(void **state)
{
	look(ALPHA FAR, KERNEL ALPHA_SYMBOLS FAR_SYMBOLS);
	look(FAR, KERNEL FAR_SYMBOLS);
	look(FAR BETA, KERNEL FAR_SYMBOLS BETA_SYMBOLS);
	/* Only what both had: alpha_data is in a page of alpha alone. */
	assert_joined(KERNEL FAR_SYMBOLS BETA_SYMBOLS,
		      KERNEL "ffffffffc0400000 t 0xffffffffc0400000\n"
			     "ffffffffc0400100 t 0xffffffffc0400100\n"
			     "ffffffffc0402000 d alpha_data\t[alpha]\n" FAR_SYMBOLS
			     "ffffffffc0400000 t 0xffffffffc0400000\n"
			     "ffffffffc0400080 t 0xffffffffc0400080\n");
}

static void modules_that_change_between_two_looks_have_addresses(void **state)
{
	look(ALPHA, KERNEL ALPHA_SYMBOLS);
	look(BETA, KERNEL BETA_SYMBOLS);
	assert_joined(KERNEL BETA_SYMBOLS,
		      KERNEL "ffffffffc0400000 t 0xffffffffc0400000\n"
			     "ffffffffc0400100 t 0xffffffffc0400100\n"
			     "ffffffffc0402000 d alpha_data\t[alpha]\n"
			     "ffffffffc0400000 t 0xffffffffc0400000\n"
			     "ffffffffc0400080 t 0xffffffffc0400080\n");
}

static void a_module_that_comes_back_keeps_its_names(void **state)
{
	look(ALPHA, KERNEL ALPHA_SYMBOLS);
	look("", KERNEL);
	look(ALPHA, KERNEL ALPHA_SYMBOLS);
	look("", KERNEL);
	assert_joined(KERNEL, KERNEL ALPHA_SYMBOLS);
}

/* Since Linux 6.13 modules share big pages: parts of one may lie between those of another. */
static void parts_of_modules_that_are_there_together_may_alternate(void **state)
{
	static const char symbols[] = KERNEL "ffffffffc0400000 t a1\t[alpha]\n"
					     "ffffffffc0404000 t a2\t[alpha]\n"
					     "ffffffffc0402000 t f1\t[far]\n";

	look(ALPHA, KERNEL "ffffffffc0400000 t a1\t[alpha]\n"
			   "ffffffffc0404000 t a2\t[alpha]\n");
	look(ALPHA FAR, symbols);
	assert_joined(symbols, symbols);
}

static void blocks_of_a_file_may_be_anything(void **state)
{
	static const char *const texts[] = {
		"",
		"=",
		"=\n",
		"-\n",
		"\n\n",
		"x\n=a\nx\n",
		"=a 1 2\nffffffffc0400000 t a",
		"=a\nffffffffffffffff t a\t[a]\n-a\n=b\nfffffffffffffffe t b\t[b]\n",
		"=a\n=a\n-a\n-a\n=\n[]\n"};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct kft_blob kallsyms = {KERNEL "x []\ny [\n]\n",
						  strlen(KERNEL "x []\ny [\n]\n")};
		const struct kft_blob kept = {texts[i], strlen(texts[i])};
		struct kft_strbuf all = {};

		assert_int_equal(kft_modules_join(&kallsyms, &kept, &all), 0);
		kft_strbuf_finish(&all);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(a_module_is_known_by_name_and_address, setup),
	cmocka_unit_test_setup(symbols_of_a_module_that_is_gone_stay, setup),
	cmocka_unit_test_setup(without_modules_nothing_changes, setup),
	cmocka_unit_test_setup(a_module_that_lies_where_another_one_did_has_addresses,
			       setup),
	cmocka_unit_test_setup(modules_that_change_between_two_looks_have_addresses,
			       setup),
	cmocka_unit_test_setup(a_module_that_comes_back_keeps_its_names, setup),
	cmocka_unit_test_setup(parts_of_modules_that_are_there_together_may_alternate,
			       setup),
	cmocka_unit_test_setup(blocks_of_a_file_may_be_anything, setup),
};

T_MAIN(tests)
