/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "ptrace/call_filter.h"

/* A program that waits to be followed from its execve on. */
struct kft_ptrace_start {
	pid_t pid;
	int go_fd; /* owned: closed without a byte, the child ends */
	int error_fd; /* owned: has the error of a failed start */
};

/* Where a start fails, in the error. */
enum kft_ptrace_start_step { KFT_START_FILTER, KFT_START_EXEC };

struct kft_ptrace_start_error {
	enum kft_ptrace_start_step step;
	int error; /* -errno */
};

/* filter: NULL: none. handlers: of SIGPIPE and SIGXFSZ for the program. */
int kft_ptrace_start_fork(char *const argv[], const struct kft_call_filter *filter,
			  bool no_new_privs, void (*const handlers[2])(int),
			  struct kft_ptrace_start *ret, struct kft_err *e) __must_check;

/* Lets it go on to its execve. */
int kft_ptrace_start_go(struct kft_ptrace_start *s) __must_check;

/* Whether the start has failed; call it when the child has ended or executed the program. */
bool kft_ptrace_start_failed(struct kft_ptrace_start *s,
			     struct kft_ptrace_start_error *ret);

void kft_ptrace_start_finish(struct kft_ptrace_start *s);
