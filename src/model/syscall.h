/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_SYSCALL_H
#define KFT_MODEL_SYSCALL_H

#include "model/trace.h"

/*
 * Names of system calls: their numbers differ from architecture to architecture, and that
 * of the traced machine decides. A 32-bit program on a 64-bit kernel has the numbers of
 * its own architecture, which the events do not tell: its calls get wrong names.
 */
struct kft_syscalls;

/* No name is longer. */
#define KFT_SYSCALL_NAME_MAX 31

/* machine: as `uname -m` says it ("x86_64", "armv7l"). NULL when it is not known. */
const struct kft_syscalls *kft_syscalls_of(const char *machine, size_t len);

/* Those of the machine that the trace was recorded on. NULL when it is not known. */
const struct kft_syscalls *kft_trace_syscalls(const struct kft_trace *t);

/* What uname -m begins with there. */
const char *kft_syscalls_machine(const struct kft_syscalls *s);

/* NULL when there is no call of this number, or s is NULL. */
const char *kft_syscall_name(const struct kft_syscalls *s, int64_t number);

/* -1 when there is no call of this name, or s is NULL. */
int64_t kft_syscall_number(const struct kft_syscalls *s, const char *name);

#endif
