// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "fake.h"

#define LOCKDOWN "sys/kernel/security/lockdown"

static void a_missing_root_is_named(void **state)
{
	struct kft_host *host = NULL;
	struct kft_err e;

	assert_int_equal(kft_host_open("/nonexistent/kft", &host, &e), -ENOENT);
	assert_string_equal(e.msg,
			    "cannot open '/nonexistent/kft': No such file or directory");
	assert_null(host);
}

static void lockdown_is_the_word_in_brackets(void **state)
{
	struct fake *f = *state;

	assert_int_equal(kft_host_lockdown(f->host), KFT_LOCKDOWN_UNKNOWN);
	fake_write(f, LOCKDOWN, "[none] integrity confidentiality\n");
	assert_int_equal(kft_host_lockdown(f->host), KFT_LOCKDOWN_NONE);
	fake_write(f, LOCKDOWN, "none [integrity] confidentiality\n");
	assert_int_equal(kft_host_lockdown(f->host), KFT_LOCKDOWN_INTEGRITY);
	fake_write(f, LOCKDOWN, "none integrity [confidentiality]\n");
	assert_int_equal(kft_host_lockdown(f->host), KFT_LOCKDOWN_CONFIDENTIALITY);
	fake_write(f, LOCKDOWN, "garbage");
	assert_int_equal(kft_host_lockdown(f->host), KFT_LOCKDOWN_UNKNOWN);
}

static void hints_say_what_stands_in_the_way(void **state)
{
	struct fake *f = *state;
	struct kft_err e = {};

	kft_host_hint(f->host, -ENOENT, &e);
	assert_string_equal(e.hint, "");
	kft_host_hint(f->host, -EACCES, &e);
	assert_non_null(strstr(e.hint, "root"));
	fake_write(f, LOCKDOWN, "none [integrity] confidentiality\n");
	kft_host_hint(f->host, -EACCES, &e);
	assert_null(strstr(e.hint, "lockdown"));
	kft_host_hint(f->host, -EPERM, &e);
	assert_null(strstr(e.hint, "confidentiality"));
	fake_write(f, LOCKDOWN, "none integrity [confidentiality]\n");
	kft_host_hint(f->host, -EPERM, &e);
	assert_non_null(strstr(e.hint, "lockdown"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_missing_root_is_named),
	cmocka_unit_test_setup_teardown(lockdown_is_the_word_in_brackets, fake_setup,
					fake_teardown),
	cmocka_unit_test_setup_teardown(hints_say_what_stands_in_the_way, fake_setup,
					fake_teardown),
};

T_MAIN(tests)
