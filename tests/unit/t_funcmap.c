// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "tracefs/sources/funcmap.h"
#include "tracefs/control/mount.h"
#include "fake.h"

static void setup_functions(struct fake *f)
{
	fake_write(f, FAKE_TRACEFS "/available_filter_functions",
		   "vfs_read\n"
		   "cleanup\n"
		   "__ftrace_invalid_address___64\n"
		   "vfs_write [mod]\n"
		   "cleanup\n"
		   "twin\n"
		   "cleanup [mod]\n"
		   "schedule\n");
	fake_write(f, "proc/kallsyms",
		   "0000000000001000 T vfs_read\n"
		   "0000000000001100 t cleanup\n"
		   "0000000000001200 t twin\n"
		   "0000000000001300 t cleanup\n"
		   "0000000000001400 t twin\n"
		   "0000000000001500 T schedule\n"
		   "0000000000008000 t vfs_write\t[mod]\n"
		   "0000000000008100 t cleanup\t[mod]\n");
}

static void read_map(struct fake *f, struct kft_funcmap *m)
{
	setup_functions(f);
	assert_int_equal(kft_funcmap_read(f->host, m, NULL), 0);
	assert_int_equal(kft_funcmap_len(m), 8);
}

/* "0 3 5 ": the indices in the set. */
static void assert_selects(struct fake *f, const char *word, const char *indices)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_funcmap m;
	struct kft_funcset s;
	struct kft_plan p = {};
	struct kft_err e = {};

	read_map(f, &m);
	assert_int_equal(kft_funcset_init(&s, &m), 0);
	assert_int_equal(kft_plan_add_function(&p, word, NULL), 0);
	int r = kft_funcmap_select_all(&m, f->host, &p.functions.include, &s, &e);
	for (size_t i = 0; i < kft_funcmap_len(&m); i++)
		if (kft_funcset_has(&s, i))
			kft_strbuf_addf(&sb, "%zu ", i);
	assert_int_equal(r, *indices ? 0 : -ENOENT);
	assert_string_equal(kft_strbuf_cstr(&sb), indices);
	kft_plan_finish(&p);
	kft_funcset_finish(&s);
	kft_funcmap_finish(&m);
}

static void functions_are_selected(void **state)
{
	assert_selects(*state, "vfs_read", "0 ");
	assert_selects(*state, "cleanup", "1 4 6 ");
	assert_selects(*state, "vfs_*", "0 3 ");
	assert_selects(*state, "0x1000", "0 ");
	assert_selects(*state, "vfs_rea", "");
	assert_selects(*state, "x*", "");
}

static void addresses_tell_functions_of_one_name_apart(void **state)
{
	assert_selects(*state, "0x1100", "1 ");
	assert_selects(*state, "0x1300", "4 ");
	assert_selects(*state, "0x8100", "6 ");
	/* One of two functions cannot be traced, but it is unknown which one. */
	assert_selects(*state, "0x1200", "");
	assert_selects(*state, "0x1400", "");
}

static void unknown_ones_get_advice(void **state)
{
	struct fake *f = *state;
	struct kft_funcmap m;
	struct kft_funcset s;
	struct kft_plan p = {};
	struct kft_err e = {};

	read_map(f, &m);
	assert_int_equal(kft_funcset_init(&s, &m), 0);
	assert_int_equal(kft_plan_add_function(&p, "vfs_raed", NULL), 0);
	assert_int_equal(
		kft_funcmap_select_all(&m, f->host, &p.functions.include, &s, &e),
		-ENOENT);
	assert_string_equal(e.msg, "this kernel cannot trace a function 'vfs_raed'");
	assert_string_equal(e.hint, "did you mean 'vfs_read'?");
	kft_plan_finish(&p);
	kft_funcset_finish(&s);
	kft_funcmap_finish(&m);
}

static void hidden_addresses_are_an_error(void **state)
{
	struct fake *f = *state;
	struct kft_funcmap m;
	struct kft_err e = {};

	read_map(f, &m);
	fake_write(f, "proc/kallsyms", "0000000000000000 T vfs_read\n");
	assert_int_equal(kft_funcmap_load_addrs(&m, f->host, &e), -EPERM);
	kft_funcmap_finish(&m);
}

static void sets_are_written_by_index_and_read_back(void **state)
{
	struct fake *f = *state;
	struct kft_funcmap m;
	struct kft_funcset s;
	struct kft_err e = {};
	int tracefs;

	read_map(f, &m);
	assert_int_equal(kft_funcset_init(&s, &m), 0);
	kft_funcset_add(&s, 4);
	kft_funcset_add(&s, 0);
	kft_funcset_add(&s, 4);
	assert_int_equal(s.count, 2);
	assert_int_equal(kft_tracefs_open(f->host, &tracefs, NULL), 0);
	fake_write(f, FAKE_TRACEFS "/set_ftrace_filter", "junk");
	/* A plain file gives the numbers back and not the names: that is noticed. */
	assert_int_equal(kft_funcset_write(&s, &m, tracefs, "set_ftrace_filter", &e),
			 -ESTALE);
	assert_string_equal(fake_read(f, FAKE_TRACEFS "/set_ftrace_filter"), "1\n5\n");
	kft_funcset_finish(&s);
	kft_funcmap_finish(&m);
}

static bool is(const struct kft_funcset *s, const struct kft_funcmap *m, const char *text)
{
	return kft_funcset_is(s, m, text, strlen(text));
}

static void other_functions_are_noticed(void **state)
{
	struct kft_funcmap m;
	struct kft_funcset s;

	read_map(*state, &m);
	assert_int_equal(kft_funcset_init(&s, &m), 0);
	assert_true(is(&s, &m, ""));
	assert_true(is(&s, &m, "#### all functions enabled ####\n"));
	assert_false(is(&s, &m, "vfs_read\n"));
	kft_funcset_add(&s, 0);
	kft_funcset_add(&s, 3);
	assert_true(is(&s, &m, "vfs_read\nvfs_write [mod]\n"));
	assert_true(
		is(&s, &m, "vfs_read\nvfs_write [mod]\nschedule:traceoff:unlimited\n"));
	assert_false(is(&s, &m, "vfs_read\n"));
	assert_false(is(&s, &m, "vfs_read\nvfs_write [mod]\nschedule\n"));
	assert_false(is(&s, &m, "vfs_write [mod]\nvfs_read\n"));
	assert_false(is(&s, &m, "vfs_rea\nvfs_write [mod]\n"));
	kft_funcset_finish(&s);
	kft_funcmap_finish(&m);
}

static void the_host_keeps_a_map_until_a_new_one_is_wanted(void **state)
{
	struct fake *f = *state;
	struct kft_funcmap *m;

	setup_functions(f);
	assert_int_equal(kft_funcmap_of(f->host, false, &m, NULL), 0);
	fake_write(f, FAKE_TRACEFS "/available_filter_functions", "schedule\n");
	assert_int_equal(kft_funcmap_of(f->host, false, &m, NULL), 0);
	assert_int_equal(kft_funcmap_len(m), 8);
	assert_int_equal(kft_funcmap_of(f->host, true, &m, NULL), 0);
	assert_int_equal(kft_funcmap_len(m), 1);
	fake_remove(f, FAKE_TRACEFS "/available_filter_functions");
	assert_true(kft_funcmap_of(f->host, true, &m, NULL) < 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(the_host_keeps_a_map_until_a_new_one_is_wanted,
					fake_tracefs_setup, fake_teardown),
	cmocka_unit_test_setup_teardown(functions_are_selected, fake_tracefs_setup,
					fake_teardown),
	cmocka_unit_test_setup_teardown(addresses_tell_functions_of_one_name_apart,
					fake_tracefs_setup, fake_teardown),
	cmocka_unit_test_setup_teardown(unknown_ones_get_advice, fake_tracefs_setup,
					fake_teardown),
	cmocka_unit_test_setup_teardown(hidden_addresses_are_an_error, fake_tracefs_setup,
					fake_teardown),
	cmocka_unit_test_setup_teardown(sets_are_written_by_index_and_read_back,
					fake_tracefs_setup, fake_teardown),
	cmocka_unit_test_setup_teardown(other_functions_are_noticed, fake_tracefs_setup,
					fake_teardown),
};

T_MAIN(tests)
