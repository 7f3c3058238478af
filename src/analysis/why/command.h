/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/why/path.h"

/* The time in which a pid was that of a task of the command. */
struct kft_why_descendant {
	uint64_t begin;
	uint64_t end; /* its exit; UINT64_MAX: not in the trace */
	uint64_t earlier; /* index + 1 of another one with this pid; 0: none */
};

/*
 * The run of the command of `kft record -- COMMAND`: from the execve of its first task to the exit of
 * that task, or to the end of the trace. Zeroed, there is no command.
 */
struct kft_why_command {
	struct kft_why_interval run; /* of the first task */
	/* The first task, and all that it started, directly or not. */
	KFT_VEC(struct kft_why_descendant) descendants;
	struct kft_map by_pid; /* pid -> index of its latest descendant + 1 */
};

/*
 * Returns 1; 0 if the trace does not show a command, *ret is zeroed then; a negative errno on failure.
 * The caller loads the names of tasks first, and calls kft_why_command_finish() after success.
 */
int kft_why_command_find(struct kft_trace *t, struct kft_why_command *ret) __must_check;
void kft_why_command_finish(struct kft_why_command *c);

/* Whether the task that has this pid at ts belongs to the command. */
bool kft_why_command_has(const struct kft_why_command *c, int32_t pid, uint64_t ts);
