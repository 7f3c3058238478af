// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "plan/diag.h"

static const struct kft_pos here = {3, 7};

static void each_has_its_place_and_hint(void **state)
{
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_false(kft_diags_any(&d));
	kft_diag_add(&d, here, "'%s': expected more", "fo\x1b");
	kft_diag_hint(&d, "did you mean '%s'?", "foo");
	kft_diag_add(&d, (struct kft_pos){}, "too long");
	kft_diags_text(&d, "a.conf", &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "a.conf:3:7: 'fo\\x1b': expected more\n"
						  "  did you mean 'foo'?\n"
						  "a.conf: too long\n");
}

static void the_first_is_the_error(void **state)
{
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	struct kft_err e = {};

	assert_int_equal(kft_diags_err(&d, "a.conf", &e), 0);
	kft_diag_add(&d, here, "one");
	kft_diag_hint(&d, "advice");
	kft_diag_add(&d, here, "two");
	assert_int_equal(kft_diags_err(&d, "a.conf", &e), -EINVAL);
	assert_string_equal(e.msg, "a.conf:3:7: one (and 1 more)");
	assert_string_equal(e.hint, "advice");
	assert_int_equal(e.code, -EINVAL);
}

static void many_are_only_counted(void **state)
{
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	for (int i = 0; i < KFT_DIAGS_MAX + 5; i++) {
		kft_diag_add(&d, here, "number %d", i);
		kft_diag_hint(&d, "hint %d", i);
	}
	assert_int_equal(d.list.len, KFT_DIAGS_MAX);
	assert_int_equal(d.dropped_count, 5);
	kft_diags_text(&d, "a.conf", &sb);
	assert_non_null(strstr(kft_strbuf_cstr(&sb), "number 19\n  hint 19\n"));
	assert_non_null(strstr(kft_strbuf_cstr(&sb), "a.conf: 5 more\n"));
	assert_null(strstr(kft_strbuf_cstr(&sb), "hint 20"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_has_its_place_and_hint),
	cmocka_unit_test(the_first_is_the_error),
	cmocka_unit_test(many_are_only_counted),
};

T_MAIN(tests)
