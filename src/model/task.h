/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/*
 * Names (comm) and thread groups of tasks, by pid (the kernel's: a thread's id). The
 * kernel keeps one global table in which the last name wins, so a reused pid or an exec
 * shows the newest name for all of its events. If a trace has names with times, those are
 * used, and the table only for pids without such names.
 */
struct kft_task {
	uint32_t pid;
	uint32_t tgid; /* 0: unknown */
	const char *comm; /* NULL: unknown; owned by the table's arena */
	/* as in struct kft_task_name; only for tasks that kft found itself */
	bool is_kernel;
};

/* The name of a pid from ts on, until the next one of that pid. */
struct kft_task_name {
	uint64_t ts;
	uint32_t pid;
	bool is_kernel; /* a kernel thread */
	bool is_renamed; /* the pid's previous name belongs to the same task */
	char comm[16]; /* NUL-terminated */
};

struct kft_task_table {
	struct kft_arena arena;
	struct kft_map by_pid; /* pid -> struct kft_task * */
	KFT_VEC(struct kft_task_name) names; /* by pid and time once sorted */
	struct kft_map names_of; /* pid -> 1 + index of its first entry in names */
};

/* The name of a pid at a time. */
struct kft_task_span {
	const char *comm; /* never NULL; "<idle>" and "<...>" as in kft_task_comm() */
	uint64_t since; /* beginning of its validity ... */
	uint64_t until; /* ... and end, exclusive; UINT64_MAX: no end */
	/* Number of the name among all names of the trace; 0: the name is not among them. */
	size_t number;
	bool is_kernel; /* a kernel thread, as far as is known */
};

void kft_task_table_finish(struct kft_task_table *t);

/* NULL for an unknown pid. */
const struct kft_task *kft_task_get(const struct kft_task_table *t, uint32_t pid);

/*
 * The name of a pid; "<idle>" for 0 and "<...>" when unknown, as ftrace
 * prints them. Never NULL.
 */
const char *kft_task_comm(const struct kft_task_table *t, uint32_t pid);

struct kft_task_span kft_task_span_at(const struct kft_task_table *t, uint32_t pid,
				      uint64_t ts);

static inline const char *kft_task_comm_at(const struct kft_task_table *t, uint32_t pid,
					   uint64_t ts)
{
	return kft_task_span_at(t, pid, ts).comm;
}

/*
 * The name that the task with this pid at ts had for the longest part of the
 * time from since to until: one name for results about that time. The name
 * at ts if it had none then. A pid that has no name at ts is that of the task
 * that gets its first name in that time.
 */
const char *kft_task_comm_longest(const struct kft_task_table *t, uint32_t pid,
				  uint64_t ts, uint64_t since, uint64_t until);

/*
 * Whether a task is a kernel thread: by the flag of its names, or by the name itself in a
 * trace without times of names.
 */
bool kft_task_is_kernel(const struct kft_task_table *t, uint32_t pid, uint64_t ts);

/* Called after names were added, in any order. -ENOMEM. */
int kft_task_table_sort(struct kft_task_table *t) __must_check;

int kft_task_set_comm(struct kft_task_table *t, uint32_t pid, const char *comm,
		      size_t len) __must_check;
int kft_task_set_kernel(struct kft_task_table *t, uint32_t pid) __must_check;
int kft_task_set_tgid(struct kft_task_table *t, uint32_t pid, uint32_t tgid) __must_check;
