// SPDX-License-Identifier: GPL-2.0-only
#include "printing.h"

#include <sys/syscall.h>

#include "model/syscall.h"

static const char *name_of(const char *machine, int64_t number)
{
	return kft_syscall_name(kft_syscalls_of(machine, strlen(machine)), number);
}

/* The expected numbers are those of the tables of system calls in arch/ of Linux. */
static void numbers_are_those_of_the_machine(void **state)
{
	assert_string_equal(name_of("x86_64", 59), "execve");
	assert_string_equal(name_of("x86_64", 0), "read");
	assert_string_equal(name_of("i686", 11), "execve");
	assert_string_equal(name_of("i386", 295), "openat");
	assert_string_equal(name_of("aarch64", 221), "execve");
	assert_string_equal(name_of("aarch64", 25), "fcntl");
	assert_string_equal(name_of("aarch64", 222), "mmap");
	assert_string_equal(name_of("riscv64", 63), "read");
	assert_string_equal(name_of("armv7l", 322), "openat");
	assert_string_equal(name_of("armv7l", 11), "execve");
	assert_string_equal(name_of("s390x", 288), "openat");
	assert_string_equal(name_of("s390x", 11), "execve");
	static const char *const all[] = {"x86_64", "i686", "aarch64", "armv7l", "s390x"};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		assert_string_equal(name_of(all[i], 435), "clone3");
		assert_string_equal(name_of(all[i], 462), "mseal");
		assert_null(name_of(all[i], 470));
		assert_null(name_of(all[i], -1));
		assert_null(name_of(all[i], INT64_MAX));
	}
	assert_null(name_of("x86_64", 400));
	assert_null(kft_syscalls_of("m68k", 4));
	assert_null(kft_syscalls_of("x86", 3));
	assert_null(kft_syscall_name(NULL, 0));
}

/* The compiler's own numbers, whatever machine this is. */
static void this_machine_agrees(void **state)
{
#if defined(__x86_64__)
	const char *machine = "x86_64";
#elif defined(__i386__)
	const char *machine = "i686";
#elif defined(__aarch64__)
	const char *machine = "aarch64";
#elif defined(__arm__)
	const char *machine = "armv7l";
#elif defined(__s390x__)
	const char *machine = "s390x";
#else
	skip();
	const char *machine = "";
#endif
	assert_string_equal(name_of(machine, SYS_write), "write");
	assert_string_equal(name_of(machine, SYS_openat), "openat");
	assert_string_equal(name_of(machine, SYS_ppoll), "ppoll");
	assert_string_equal(name_of(machine, SYS_statx), "statx");
	assert_string_equal(name_of(machine, SYS_getpid), "getpid");
}

static const char *printed(const char *uname, const char *event, const char *fmt)
{
	static char text[200];
	struct printing p = {};

	assert_int_equal(kft_trace_create(&p.trace), 0);
	p.trace->meta.uname = (struct kft_blob){uname, strlen(uname)};
	printing_put(&p, 8, 59, 8);
	printing_put(&p, 16, 7, 8);
	printing_class(&p, "raw_syscalls", event,
		       "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
		       "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n",
		       fmt, 8);
	(void)snprintf(text, sizeof(text), "%s", printing_info(&p));
	printing_finish(&p);
	return text;
}

static void raw_system_calls_have_names(void **state)
{
	const char *exit_fmt = "\"NR %ld = %ld\", REC->id, REC->ret";

	assert_string_equal(
		printed("Linux box 6.1.0 #1 SMP x86_64", "sys_exit", exit_fmt),
		"NR 59 execve = 7");
	assert_string_equal(printed("Linux box 6.1.0 #1 SMP x86_64\n", "sys_enter",
				    "\"NR %ld (%lx)\", REC->id, REC->ret"),
			    "NR 59 execve (7)");
	assert_string_equal(
		printed("Linux box 6.1.0 #1 SMP aarch64", "sys_exit", exit_fmt),
		"NR 59 pipe2 = 7");
	assert_string_equal(printed("Linux box 6.1.0 sparc", "sys_exit", exit_fmt),
			    "NR 59 = 7");
	assert_string_equal(printed("", "sys_exit", exit_fmt), "NR 59 = 7");
	assert_string_equal(
		printed("Linux b 6 x86_64", "sys_exit", "\"id %ld\", REC->id"), "id 59");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(numbers_are_those_of_the_machine),
	cmocka_unit_test(this_machine_agrees),
	cmocka_unit_test(raw_system_calls_have_names),
};

T_MAIN(tests)
