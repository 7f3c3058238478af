// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "output/plain/call_args.h"

static void assert_arg(const char *call, const char *machine, size_t i, uint64_t value,
		       const char *text)
{
	const struct kft_plain_signature *s = kft_plain_signature_find(call, machine);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_non_null(s);
	assert_non_null(s->args[i]);
	kft_arg_add(s->args[i], value, NULL, 0, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), text);
}

static void flags_have_the_names_of_the_machine(void **state)
{
	assert_arg("openat", "x86_64", 2, 0x90800,
		   "O_RDONLY|O_NONBLOCK|O_DIRECTORY|O_CLOEXEC");
	assert_arg("openat", "aarch64", 2, 0x84800,
		   "O_RDONLY|O_NONBLOCK|O_DIRECTORY|O_CLOEXEC");
	assert_arg("openat", "armv7", 2, 0x20241, "O_WRONLY|O_CREAT|O_TRUNC|O_LARGEFILE");
	assert_arg("openat", NULL, 2, 0x410002, "O_RDWR|O_TMPFILE");
	assert_arg("openat", NULL, 2, 0x101001, "O_WRONLY|O_SYNC");
	assert_arg("openat", NULL, 2, 0x1001, "O_WRONLY|O_DSYNC");
	assert_arg("clone", "x86_64", 0, 0x1200011,
		   "CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD");
	assert_arg("clone", "s390x", 1, 0x11, "SIGCHLD");
}

static void what_has_no_name_is_a_number(void **state)
{
	assert_arg("openat", NULL, 2, 0x80000000, "O_RDONLY|0x80000000");
	assert_arg("mprotect", NULL, 2, 0, "PROT_NONE");
	assert_arg("mprotect", NULL, 2, 0x13, "PROT_READ|PROT_WRITE|0x10");
	assert_arg("mprotect", NULL, 2, UINT64_C(1) << 32 | 1, "PROT_READ|0x100000000");
	assert_arg("mprotect", NULL, 2, UINT64_C(1) << 32, "0x100000000");
	assert_arg("sendto", NULL, 3, UINT64_C(1) << 32 | 1, "MSG_OOB");
	assert_arg("splice", NULL, 5, 0, "0");
	assert_arg("lseek", NULL, 2, 77, "77");
	assert_arg("openat", NULL, 0, 0xffffff9c, "AT_FDCWD");
	assert_arg("openat", NULL, 0, UINT64_MAX - 99, "AT_FDCWD");
	assert_arg("openat", NULL, 0, 0xffffffff, "-1");
	assert_arg("openat", NULL, 1, 0, "NULL");
	assert_arg("openat", NULL, 3, 0644, "0644");
	assert_arg("kill", NULL, 1, 15, "SIGTERM");
	assert_arg("kill", NULL, 1, 40, "40");
	assert_arg("read", NULL, 2, UINT64_MAX, "-1");
	assert_arg("read", NULL, 2, UINT64_C(1) << 40, "0x10000000000");
}

static void recorded_text_is_quoted(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_arg_add(&kft_arg_string, 0x1000, "/etc/\033passwd", 12, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "\"/etc/\\x1bpasswd\"");
	assert_null(kft_plain_signature_find("no_such_call", "x86_64"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_have_the_names_of_the_machine),
		cmocka_unit_test(what_has_no_name_is_a_number),
		cmocka_unit_test(recorded_text_is_quoted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
