/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include <kft/error.h>

#include "base/macro.h"

/*
 * A program that is recorded from its first instruction on. The child is forked before kft
 * does anything else, so that it has the caller's privileges, signal mask and descriptors and
 * none of kft's. It waits until it is released, then executes the program with the same pid.
 *
 * For use by one thread. The caller provides the memory and always calls kft_command_end().
 */
struct kft_command {
	pid_t pid; /* 0: none */
	int go_fd; /* owned: closing it before the release makes the child exit */
	int error_fd; /* owned: has the error of a failed exec */
	int pid_fd; /* owned: readable when it has ended; -1 on kernels before 5.3 */
	bool ended;
	int status; /* of waitpid(2); valid once ended */
};

/*
 * Forks the child. argv ends with NULL and is borrowed. -ENOENT or -EACCES if the program does
 * not exist, so that a mistyped name is refused before kft changes anything.
 */
int kft_command_fork(char *const argv[], struct kft_command *ret,
		     struct kft_err *e) __must_check;

/*
 * Releases the child. Fails with the error of execvp(3) if the program cannot be executed:
 * -ENOENT, -EACCES and the like.
 */
int kft_command_release(struct kft_command *c, struct kft_err *e) __must_check;

/* Checks without waiting if the program has ended, and stores its status. */
bool kft_command_ended(struct kft_command *c);

/* The exit status as in a shell: the program's exit code, or 128 plus the signal's number. */
int kft_command_exit_code(const struct kft_command *c);

/*
 * Ends the child, waits for it, and closes the descriptors. A running program gets SIGTERM,
 * as from perf; with `leave` it goes on and is not waited for. A child that was not released
 * exits without executing the program.
 */
void kft_command_end(struct kft_command *c, bool leave);
