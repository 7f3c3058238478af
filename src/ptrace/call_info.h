/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/traced_call.h"

/* What a stopped task calls, by PTRACE_GET_SYSCALL_INFO (Linux 5.3): the same for all machines. */
enum kft_call_stop {
	KFT_CALL_NONE,
	KFT_CALL_ENTRY,
	KFT_CALL_EXIT,
	KFT_CALL_SECCOMP, /* entry, by a filter */
};

/*
 * Fills in c for an entry (number, arguments, ABI) or an exit (result). Returns an enum
 * kft_call_stop or -errno: -ESRCH when the task was killed meanwhile.
 */
int kft_call_info(pid_t tid, struct kft_traced_call *c);

/* Reads memory of a stopped task, as kft_traced_source.read. */
ssize_t kft_call_memory(void *arg, pid_t tid, uint64_t address, void *data, size_t len);
