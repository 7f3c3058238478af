/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_TASK_H
#define KFT_MODEL_TASK_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/*
 * Names (comm) and thread groups of tasks, by pid (the kernel's: a thread's id).
 * The kernel keeps one global table in which the last name wins, so a reused pid or an
 * exec shows the newest name for all of its events. Where a trace has names with their
 * times, these count, and the table only for pids that have none.
 */
struct kft_task {
	uint32_t pid;
	uint32_t tgid; /* 0: not known */
	const char *comm; /* NULL: not known; owned by the table's arena */
	bool is_kernel; /* as struct kft_task_name; only of tasks that kft itself looks at */
};

/* From ts on, until the next name of that pid. */
struct kft_task_name {
	uint64_t ts;
	uint32_t pid;
	bool is_kernel; /* it is a thread of the kernel's own */
	bool is_renamed; /* the same task as by the name before */
	char comm[16]; /* ends with a NUL */
};

struct kft_task_table {
	struct kft_arena arena;
	struct kft_map by_pid; /* pid -> struct kft_task * */
	KFT_VEC(struct kft_task_name) names; /* by pid and time once sorted */
	struct kft_map names_of; /* pid -> 1 + index of its first one in names */
};

/* The name of a pid at a time. */
struct kft_task_span {
	const char *comm; /* never NULL; "<idle>", "<...>" as kft_task_comm() */
	uint64_t since; /* it holds from here ... */
	uint64_t until; /* ... to before here; UINT64_MAX: for good */
	size_t number; /* of the name among all names of the trace; 0: it is none of them */
	bool is_kernel; /* as far as is known */
};

void kft_task_table_finish(struct kft_task_table *t);

/* NULL when nothing is known of the pid. */
const struct kft_task *kft_task_get(const struct kft_task_table *t, uint32_t pid);

/* "<idle>" for 0, "<...>" when unknown: what ftrace prints. Never NULL. */
const char *kft_task_comm(const struct kft_task_table *t, uint32_t pid);

struct kft_task_span kft_task_span_at(const struct kft_task_table *t, uint32_t pid,
				      uint64_t ts);

static inline const char *kft_task_comm_at(const struct kft_task_table *t, uint32_t pid,
					   uint64_t ts)
{
	return kft_task_span_at(t, pid, ts).comm;
}

/*
 * The name that the task with this pid at ts had for the longest time from since to until: one
 * name for an answer about that time. That at ts where it had no name then.
 */
const char *kft_task_comm_longest(const struct kft_task_table *t, uint32_t pid,
				  uint64_t ts, uint64_t since, uint64_t until);

/*
 * Whether a task is a thread of the kernel's own: as its names say, or where a trace has none
 * of them with their times, what it is called.
 */
bool kft_task_is_kernel(const struct kft_task_table *t, uint32_t pid, uint64_t ts);

/* After names were added, in any order. -ENOMEM. */
int kft_task_table_sort(struct kft_task_table *t) __must_check;

int kft_task_set_comm(struct kft_task_table *t, uint32_t pid, const char *comm,
		      size_t len) __must_check;
int kft_task_set_kernel(struct kft_task_table *t, uint32_t pid) __must_check;
int kft_task_set_tgid(struct kft_task_table *t, uint32_t pid, uint32_t tgid) __must_check;

#endif
