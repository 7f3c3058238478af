// SPDX-License-Identifier: LGPL-2.1-or-later
/* Asks the kernel for the system call of a stopped task. */
#include "ptrace/call_info.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

/* include/uapi/linux/ptrace.h; C libraries before Linux 5.3 lack it. */
#define GET_SYSCALL_INFO 0x420e
/* include/uapi/linux/audit.h: the bit of 64-bit machines in seccomp's and ptrace's arch. */
#define ARCH_64 UINT32_C(0x80000000)

struct info {
	uint8_t op;
	uint8_t pad[3];
	uint32_t arch;
	uint64_t ip;
	uint64_t stack;
	union {
		struct {
			uint64_t number;
			uint64_t args[KFT_TRACED_ARGS];
		} entry; /* also of a seccomp stop */
		struct {
			int64_t result;
			uint8_t is_error;
		} exit;
	};
};

int kft_call_info(pid_t tid, struct kft_traced_call *c)
{
	struct info i = {};

	if (ptrace(GET_SYSCALL_INFO, tid, sizeof(i), &i) < 0)
		return -errno;
	if (i.op == KFT_CALL_ENTRY || i.op == KFT_CALL_SECCOMP) {
		c->abi = sizeof(long) == 8 && !(i.arch & ARCH_64) ? KFT_TRACED_32
								  : KFT_TRACED_NATIVE;
		c->number = (int64_t)i.entry.number;
		memcpy(c->args, i.entry.args, sizeof(c->args));
		c->stack = i.stack;
	} else if (i.op == KFT_CALL_EXIT) {
		c->result = i.exit.result;
		c->is_error = i.exit.is_error;
	}
	return i.op;
}

ssize_t kft_call_memory(void *arg, pid_t tid, uint64_t address, void *data, size_t len)
{
	struct iovec local = {data, len};
	struct iovec remote = {(void *)(uintptr_t)address, len};

	/* An address that this process cannot express is no memory of the task either. */
	if ((uintptr_t)address != address)
		return -EFAULT;
	ssize_t n = process_vm_readv(tid, &local, 1, &remote, 1, 0);

	return n < 0 ? -errno : n;
}
