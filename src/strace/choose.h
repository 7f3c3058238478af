/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"
#include "model/syscall.h"
#include "model/traced_call.h"

/* Which calls, signals and results are shown: the expressions of -e. */

struct kft_strace_group {
	const char *name;
	const char *calls; /* names with blanks between them */
};

/* data/call_groups; the last entry has no name */
extern const struct kft_strace_group kft_strace_groups[];

enum kft_strace_status {
	KFT_STRACE_SUCCESSFUL = 1 << 0,
	KFT_STRACE_FAILED = 1 << 1,
	KFT_STRACE_UNFINISHED = 1 << 2, /* the task ended in the call */
	KFT_STRACE_UNAVAILABLE = 1 << 3, /* the call returned, with an unknown result */
	KFT_STRACE_DETACHED = 1 << 4, /* the task was left in the call */
	KFT_STRACE_ANY_STATUS = (1 << 5) - 1,
};

struct kft_strace_choice {
	bool calls[KFT_N_TRACED_ABIS][KFT_SYSCALLS];
	bool others; /* calls with numbers that are in no table */
	bool all; /* nothing was left out */
	uint64_t signals; /* bit n - 1: signal n */
	unsigned int status; /* enum kft_strace_status */
	bool no_exits; /* no lines about ends: -qq */
	bool no_attaches; /* -q */
};

/* The names of an ABI's calls on this machine; NULL: kft has no table for it. */
const struct kft_syscalls *kft_strace_syscalls(enum kft_traced_abi abi);

/* All calls, signals and results. */
void kft_strace_choice_init(struct kft_strace_choice *c);

/* Applies "trace=%file,!futex" and the like. -EINVAL for what it does not know. */
int kft_strace_choose(struct kft_strace_choice *c, const char *expression,
		      struct kft_err *e) __must_check;

bool kft_strace_chooses(const struct kft_strace_choice *c, enum kft_traced_abi abi,
			int64_t number);
