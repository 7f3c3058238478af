/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_COMMAND_H
#define KFT_CAPTURE_COMMAND_H

#include <sys/types.h>

#include <kft/error.h>

#include "base/macro.h"

/*
 * A program that is recorded from its first instruction on. It is forked before anything
 * else is done, so that it has the caller's privileges, signal mask and descriptors and
 * none of kft's, and waits until it is released. Its pid is that of the program.
 *
 * One thread uses a command. It is the caller's memory; kft_command_end() in any case.
 */
struct kft_command {
	pid_t pid; /* 0: none */
	int go_fd; /* owned: closing it unreleased lets the child exit */
	int error_fd; /* owned: what exec failed with */
	int pid_fd; /* owned: readable when it has ended; -1 on kernels before 5.3 */
	bool ended;
	int status; /* as waitpid(2) gives it, once ended */
};

/*
 * argv ends with NULL, borrowed. -ENOENT or -EACCES already here when there is no such
 * program, so that nothing is begun for a mistyped name.
 */
int kft_command_fork(char *const argv[], struct kft_command *ret,
		     struct kft_err *e) __must_check;

/*
 * Lets it run. Fails when the program cannot be executed, with execvp(3)'s error: -ENOENT,
 * -EACCES and the like.
 */
int kft_command_release(struct kft_command *c, struct kft_err *e) __must_check;

/* Looks whether it has ended and notes its status. */
bool kft_command_ended(struct kft_command *c);

/* What a shell would give for its status: its exit code, or 128 and the signal. */
int kft_command_exit_code(const struct kft_command *c);

/*
 * Ends what is left of it, waits, and frees: a program that runs gets SIGTERM, as perf
 * does, unless `leave`; one that was never released just goes.
 */
void kft_command_end(struct kft_command *c, bool leave);

#endif
