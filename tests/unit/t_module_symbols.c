// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/kallsyms.h"
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

/* A recorder's state between two looks. */
static struct kft_strbuf list;
static struct kft_strbuf blocks;
static uint64_t looked_at; /* 0: times are not known */

static int setup(void **state)
{
	kft_strbuf_finish(&list);
	kft_strbuf_finish(&blocks);
	looked_at = 0;
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

/* A look at a time; nothing is known of the time before the first one. */
static void look_at(uint64_t ns, const char *proc_text, const char *kallsyms_text)
{
	if (looked_at)
		kft_modules_add_times(looked_at, ns, &blocks);
	looked_at = ns;
	look(proc_text, kallsyms_text);
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
	/* A module stays the same when its users change or its init functions are freed. */
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
	/* Only addresses in pages of both lose their names: alpha_data is in a page of alpha alone. */
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

static struct kft_strbuf joined;

static void parse(const char *kallsyms_text, struct kft_symbol_table *t)
{
	const struct kft_blob kallsyms = {kallsyms_text, strlen(kallsyms_text)};
	const struct kft_blob kept = {blocks.buf, blocks.len};
	size_t bad;

	kft_strbuf_finish(&joined);
	*t = (struct kft_symbol_table){};
	assert_int_equal(kft_modules_join(&kallsyms, &kept, &joined), 0);
	assert_int_equal(
		kft_kallsyms_parse(kft_strbuf_cstr(&joined), joined.len, t, &bad), 0);
	assert_int_equal(bad, 0);
}

static void assert_name(const struct kft_symbol_table *t, uint64_t addr, uint64_t ns,
			const char *expected)
{
	uint64_t at = kft_symbol_at(t, addr, ns);
	const struct kft_symbol *s = kft_symbol_lookup(t, at);

	assert_non_null(s);
	assert_int_equal((at - s->addr) & 0xfff, addr & 0xf);
	assert_int_equal(s->name_len, strlen(expected));
	assert_memory_equal(s->name, expected, s->name_len);
}

/* Between two looks either module may have been there. */
static void an_address_has_the_name_of_its_time(void **state)
{
	struct kft_symbol_table t;

	look_at(100, ALPHA FAR, KERNEL ALPHA_SYMBOLS FAR_SYMBOLS);
	look_at(200, FAR, KERNEL FAR_SYMBOLS);
	look_at(300, FAR BETA, KERNEL FAR_SYMBOLS BETA_SYMBOLS);
	parse(KERNEL FAR_SYMBOLS BETA_SYMBOLS, &t);
	assert_name(&t, 0xffffffffc0400000, 50, "alpha_one");
	assert_name(&t, 0xffffffffc0400104, 199, "alpha_two");
	assert_name(&t, 0xffffffffc0400100, 200, "0xffffffffc0400100");
	assert_name(&t, 0xffffffffc0400080, 201, "beta_two");
	assert_name(&t, 0xffffffffc0400008, UINT64_MAX, "beta_one");
	assert_name(&t, 0xffffffffc0402000, 50, "alpha_data");
	assert_name(&t, 0xffffffffc0500000, 50, "far_away");
	assert_name(&t, 0xffffffff81000100, 250, "vfs_read");
	/* The names of the beginning stay those of other programs: the addresses. */
	assert_null(strstr(kft_strbuf_cstr(&joined), " t alpha_one"));
	kft_symbol_table_finish(&t);
	kft_strbuf_finish(&joined);
}

static void modules_that_take_turns_have_their_names(void **state)
{
	struct kft_symbol_table t;

	for (unsigned int i = 1; i < 8; i += 4) {
		look_at(i * 100, ALPHA, KERNEL ALPHA_SYMBOLS);
		look_at(i * 100 + 100, "", KERNEL);
		look_at(i * 100 + 200, BETA, KERNEL BETA_SYMBOLS);
		look_at(i * 100 + 300, "", KERNEL);
	}
	parse(KERNEL, &t);
	assert_name(&t, 0xffffffffc0400000, 150, "alpha_one");
	assert_name(&t, 0xffffffffc0400000, 350, "beta_one");
	assert_name(&t, 0xffffffffc0400000, 400, "0xffffffffc0400000");
	assert_name(&t, 0xffffffffc0400000, 550, "alpha_one");
	assert_name(&t, 0xffffffffc0400000, 750, "beta_one");
	/* At this time no module was there. */
	assert_name(&t, 0xffffffffc0400000, 801, "0xffffffffc0400000");
	kft_symbol_table_finish(&t);
	kft_strbuf_finish(&joined);
}

/* A kernel's address may lie behind the symbols of a load, which are none of its neighbours. */
static void addresses_that_no_module_had_have_no_name(void **state)
{
	struct kft_symbol_table t;

	look_at(100, ALPHA, KERNEL ALPHA_SYMBOLS);
	look_at(200, BETA, KERNEL BETA_SYMBOLS);
	parse(KERNEL BETA_SYMBOLS, &t);
	assert_null(kft_symbol_lookup(&t, 0xffff888001234560));
	assert_null(kft_symbol_lookup(&t, 0x7fff00000000));
	kft_symbol_table_finish(&t);
	kft_strbuf_finish(&joined);
}

static void lines_of_loads_may_be_anything(void **state)
{
	static const char text[] = "1 a kft:load:\n"
				   "1 a kft:load:2\n"
				   "1 a kft:load:2:3:4\n"
				   "1 a kft:load:2:3:99999999999999999999\t[a]\n"
				   "1 a kft:name:x\t[a]\n"
				   "1 a kft:load:2:a:4\t[a]\n"
				   "1 a kft:load:2:3:4\t[a]\n"
				   "1 a kft:name:\t[a]\n"
				   "1 a kft:name:x\n"
				   "3 a kft:name:x\t[a]\n";
	struct kft_symbol_table t = {};
	size_t bad;

	assert_int_equal(kft_kallsyms_parse(text, strlen(text), &t, &bad), 0);
	assert_int_equal(bad, 8);
	assert_int_equal(t.loads.len, 1);
	assert_int_equal(t.syms.len, 0);
	assert_int_equal(kft_symbol_at(&t, 1, 3), 1);
	kft_symbol_table_finish(&t);
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
		"=a\n=a\n-a\n-a\n=\n[]\n",
		"@\n@1\n@1 x\n+a\n@1 2\n=a\nfff t a\t[a]\n-a\n+a\n=b\nffe t b\t[b]\n",
		"@1 2\n=\nfff t a\t[a]\n-\n=b\nffe t b\t[b]\n"};

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
	cmocka_unit_test_setup(an_address_has_the_name_of_its_time, setup),
	cmocka_unit_test_setup(modules_that_take_turns_have_their_names, setup),
	cmocka_unit_test_setup(addresses_that_no_module_had_have_no_name, setup),
	cmocka_unit_test_setup(lines_of_loads_may_be_anything, setup),
	cmocka_unit_test_setup(blocks_of_a_file_may_be_anything, setup),
};

T_MAIN(tests)
