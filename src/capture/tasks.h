/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "capture/host.h"
#include "model/task.h"

/*
 * Names and processes of the tasks that may occur in a recording.
 *
 * The kernel's table (saved_cmdlines) is small, 128 tasks on many kernels. It has only tasks
 * that ran while tracing was on, and keeps stale names. So /proc is read once at the
 * beginning and overrides the entries that the kernel's table has then. Entries that appear in
 * the table later override both, and are kept after they have left the table.
 *
 * For use by one thread. `struct kft_tasks t = {};` is an empty one.
 */
struct kft_tasks {
	struct kft_task_table table;
	struct kft_map old_lines; /* hashes of the tables' lines at the beginning */
	struct kft_strbuf saved_comms; /* the kernel's tables when last read */
	struct kft_strbuf saved_tgids;
	bool full; /* the table reached its size limit: the newest tasks have no names */
};

void kft_tasks_finish(struct kft_tasks *t);

/* Reads the kernel's tables and /proc when a recording begins. Ignores missing files. -ENOMEM. */
int kft_tasks_begin(struct kft_tasks *t, const struct kft_host *host) __must_check;

/* Reads only /proc: the tasks that exist now. -ENOMEM. */
int kft_tasks_living(struct kft_tasks *t, const struct kft_host *host) __must_check;

/* Adds new lines of the kernel's tables. *ret_changed: the tables have changed. -ENOMEM. */
int kft_tasks_refresh(struct kft_tasks *t, const struct kft_host *host,
		      bool *ret_changed) __must_check;

/*
 * Takes the last name of each pid in names, which is sorted. These are better than the kernel's
 * table, which has the name of a task at its last context switch while tracing was on: for a
 * task that did not switch between its exec and its end, the name before the exec. -ENOMEM.
 */
int kft_tasks_take_names(struct kft_tasks *t,
			 const struct kft_task_table *names) __must_check;

/* Appends all tasks in the formats of saved_cmdlines and saved_tgids. */
void kft_tasks_text(const struct kft_tasks *t, struct kft_strbuf *cmdlines,
		    struct kft_strbuf *tgids);

/*
 * Appends all names as records that are valid from since_ns on (decode/task_names.h), except for
 * pids that are keys of except, which may be NULL.
 */
void kft_tasks_names(const struct kft_tasks *t, uint64_t since_ns,
		     const struct kft_map *except, struct kft_strbuf *records);
