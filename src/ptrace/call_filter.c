// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes the seccomp program that skips calls nobody asked for. */
#include "ptrace/call_filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "model/syscall.h"

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define NATIVE_ARCH AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#elif defined(__s390x__)
#define NATIVE_ARCH AUDIT_ARCH_S390X
#else
/* All calls stop then, which is slower and nothing else. */
#define NATIVE_ARCH 0
#endif

static void add(struct kft_call_filter *f, uint16_t code, uint32_t k, uint8_t jt,
		uint8_t jf, bool *ok)
{
	*ok = *ok && kft_vec_push(&f->code, ((struct sock_filter){code, jt, jf, k}));
}

/* Numbers from `first` to `last` stop. */
static void add_range(struct kft_call_filter *f, uint32_t first, uint32_t last, bool *ok)
{
	add(f, BPF_JMP | BPF_JGE | BPF_K, first, 0, 2, ok);
	add(f, BPF_JMP | BPF_JGT | BPF_K, last, 1, 0, ok);
	add(f, BPF_RET | BPF_K, SECCOMP_RET_TRACE, 0, 0, ok);
}

static bool is_wanted(const struct kft_traced_sink *sink, int64_t number)
{
	return sink->wants(sink->arg, KFT_TRACED_NATIVE, number);
}

int kft_call_filter_make(const struct kft_traced_sink *sink, struct kft_call_filter *ret)
{
	struct kft_call_filter f = {};
	bool ok = true;
	int64_t end = KFT_SYSCALLS;

	/* Calls of other ABIs stop always: their numbers are other ones. */
	add(&f, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0, &ok);
	add(&f, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0, &ok);
	add(&f, BPF_RET | BPF_K, SECCOMP_RET_TRACE, 0, 0, &ok);
	add(&f, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0, &ok);
	for (int64_t i = 0; i < end; i++) {
		int64_t first = i;

		while (i < end && is_wanted(sink, i))
			i++;
		if (i > first)
			add_range(&f, (uint32_t)first, (uint32_t)i - 1, &ok);
	}
	if (is_wanted(sink, end))
		add_range(&f, (uint32_t)end, UINT32_MAX, &ok);
	add(&f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0, &ok);
	if (!ok) {
		kft_call_filter_finish(&f);
		return -ENOMEM;
	}
	*ret = f;
	return 0;
}

void kft_call_filter_finish(struct kft_call_filter *f)
{
	kft_vec_finish(&f->code);
}

int kft_call_filter_install(const struct kft_call_filter *f, bool no_new_privs)
{
	struct sock_fprog program = {(unsigned short)f->code.len, f->code.data};

	if (no_new_privs && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0 ? -errno : 0;
}
