// SPDX-License-Identifier: LGPL-2.1-or-later
/* Chooses the names of system calls by the traced machine. */
#include "model/syscall.h"

#include <string.h>

struct kft_syscalls {
	const char *machine; /* prefix of the machine's name in `uname -m` */
	const uint16_t *names;
};

static const struct kft_syscalls tables[] = {
	{"x86_64", kft_syscalls_x86_64}, {"i386", kft_syscalls_i386},
	{"i486", kft_syscalls_i386},	 {"i586", kft_syscalls_i386},
	{"i686", kft_syscalls_i386},	 {"aarch64", kft_syscalls_generic},
	{"riscv", kft_syscalls_generic}, {"loongarch", kft_syscalls_generic},
	{"armv8", kft_syscalls_arm},	 {"armv7", kft_syscalls_arm},
	{"armv6", kft_syscalls_arm},	 {"armv5", kft_syscalls_arm},
	{"s390x", kft_syscalls_s390x},	 {"kptrace", kft_syscalls_arm},
};

const struct kft_syscalls *kft_syscalls_of(const char *machine, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		size_t n = strlen(tables[i].machine);

		if (len >= n && memcmp(machine, tables[i].machine, n) == 0)
			return &tables[i];
	}
	return NULL;
}

const struct kft_syscalls *kft_trace_syscalls(const struct kft_trace *t)
{
	const char *p = t->meta.uname.data;
	size_t len = p ? strnlen(p, t->meta.uname.len) : 0;

	/* The machine is the last word of "Linux host release version machine". */
	while (len && (p[len - 1] == '\n' || p[len - 1] == ' '))
		len--;
	const char *blank = len ? memrchr(p, ' ', len) : NULL;
	return blank ? kft_syscalls_of(blank + 1, p + len - blank - 1) : NULL;
}

const char *kft_syscalls_machine(const struct kft_syscalls *s)
{
	return s->machine;
}

const char *kft_syscall_name(const struct kft_syscalls *s, int64_t number)
{
	if (!s || number < 0 || number >= KFT_SYSCALLS || !s->names[number])
		return NULL;
	return kft_syscall_names + s->names[number];
}

int64_t kft_syscall_number(const struct kft_syscalls *s, const char *name)
{
	for (int64_t i = 0; i < KFT_SYSCALLS; i++) {
		const char *other = kft_syscall_name(s, i);

		if (other && *other == *name && strcmp(other, name) == 0)
			return i;
	}
	return -1;
}
