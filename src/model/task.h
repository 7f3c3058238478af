/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_TASK_H
#define KFT_MODEL_TASK_H

#include "base/arena.h"
#include "base/map.h"

/*
 * Names (comm) and thread groups of tasks, by pid (the kernel's: a thread's id).
 * The kernel keeps one global table in which the last name wins, so a reused pid or an
 * exec shows the newest name for all of its events.
 */
struct kft_task {
	uint32_t pid;
	uint32_t tgid; /* 0: not known */
	const char *comm; /* NULL: not known; owned by the table's arena */
};

struct kft_task_table {
	struct kft_arena arena;
	struct kft_map by_pid; /* pid -> struct kft_task * */
};

void kft_task_table_finish(struct kft_task_table *t);

/* NULL when nothing is known of the pid. */
const struct kft_task *kft_task_get(const struct kft_task_table *t, uint32_t pid);

/* "<idle>" for 0, "<...>" when unknown: what ftrace prints. Never NULL. */
const char *kft_task_comm(const struct kft_task_table *t, uint32_t pid);

int kft_task_set_comm(struct kft_task_table *t, uint32_t pid, const char *comm,
		      size_t len) __must_check;
int kft_task_set_tgid(struct kft_task_table *t, uint32_t pid, uint32_t tgid) __must_check;

#endif
