/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/*
 * Names of system calls: their numbers depend on the architecture, so the table of the
 * traced machine is used. A 32-bit program on a 64-bit kernel uses the numbers of its own
 * architecture, and the events do not show that: its calls get wrong names.
 */
struct kft_syscalls;

/* Size of the tables; numbers from 424 on are the same on all architectures. */
#define KFT_SYSCALLS 470

/*
 * All names, each with a NUL, and the tables of data/syscalls with offsets into them; 0: no
 * such call.
 */
extern const char kft_syscall_names[];
extern const uint16_t kft_syscalls_x86_64[KFT_SYSCALLS];
extern const uint16_t kft_syscalls_i386[KFT_SYSCALLS];
extern const uint16_t kft_syscalls_generic[KFT_SYSCALLS];
extern const uint16_t kft_syscalls_arm[KFT_SYSCALLS];
extern const uint16_t kft_syscalls_s390x[KFT_SYSCALLS];

/* Length of the longest name. */
#define KFT_SYSCALL_NAME_MAX 31

/* machine: from `uname -m` ("x86_64", "armv7l"). NULL when it is unknown. */
const struct kft_syscalls *kft_syscalls_of(const char *machine, size_t len);

/* The system calls of the machine that recorded the trace. NULL when it is unknown. */
const struct kft_syscalls *kft_trace_syscalls(const struct kft_trace *t);

/* The prefix of the machine's name in `uname -m`. */
const char *kft_syscalls_machine(const struct kft_syscalls *s);

/* The name of a system call; NULL for an unknown number, or when s is NULL. */
const char *kft_syscall_name(const struct kft_syscalls *s, int64_t number);

/* The number of a system call; -1 for an unknown name, or when s is NULL. */
int64_t kft_syscall_number(const struct kft_syscalls *s, const char *name);

/* data/errno, by number */
#define KFT_ERRNO_NAMES 530
extern const char *const kft_errno_names[KFT_ERRNO_NAMES];

/*
 * "EAGAIN" for 11; also kernel-internal numbers such as
 * ERESTARTSYS. NULL: no such number.
 */
static inline const char *kft_errno_name(int64_t number)
{
	return number > 0 && number < KFT_ERRNO_NAMES ? kft_errno_names[number] : NULL;
}
