/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"
#include "model/traced_sink.h"

/*
 * Follows tasks with ptrace(2): each stops at its system calls and signals, so that nothing is
 * lost and no privilege is needed for one's own programs. For use by one thread, which takes
 * all children of the process with wait4(2).
 *
 * When kft ends in any way the kernel lets the tasks go on; only with a filter (skip_calls) are
 * they killed, since the kernel would refuse the filtered calls of a task without a tracer.
 */
struct kft_ptrace;

struct kft_ptrace_options {
	bool follow; /* new threads and children, and all threads of attached processes */
	bool measure; /* kft_traced_call.cpu_ns */
	bool skip_calls; /* calls that the sink does not want do not stop (seccomp) */
	bool no_new_privs; /* allowed for skip_calls: needs it without CAP_SYS_ADMIN */
};

/* The sink is copied, its arg borrowed. NULL when memory runs out. */
struct kft_ptrace *kft_ptrace_create(const struct kft_ptrace_options *o,
				     const struct kft_traced_sink *sink);
/* Leaves the tasks that are still followed. */
void kft_ptrace_destroy(struct kft_ptrace *p);
KFT_DEFINE_CLEANUP(struct kft_ptrace *, kft_ptrace_destroy)

/*
 * Starts a program whose first call is execve. argv ends with NULL. SIGPIPE and SIGXFSZ get the
 * handlers that the caller of kft had.
 */
int kft_ptrace_start(struct kft_ptrace *p, char *const argv[], void (*sigpipe)(int),
		     void (*sigxfsz)(int), struct kft_err *e) __must_check;

/* Attaches to a task. -EPERM, -ESRCH. */
int kft_ptrace_attach(struct kft_ptrace *p, pid_t pid, struct kft_err *e) __must_check;

/*
 * Follows until all tasks have ended or a signal asks to end: SIGHUP and SIGTERM, which are passed
 * on to a started program, and without one also SIGINT and SIGQUIT. The tasks are left then.
 */
int kft_ptrace_run(struct kft_ptrace *p, struct kft_err *e) __must_check;

/* Exit status of the started program as of a shell; that of the signal that ended run(). */
int kft_ptrace_exit_code(const struct kft_ptrace *p);
