/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_TASKS_H
#define KFT_CAPTURE_TASKS_H

#include "base/strbuf.h"
#include "capture/host.h"
#include "model/task.h"

/*
 * Names and processes of the tasks that a recording may have met.
 *
 * The kernel's own table (saved_cmdlines) is small, 128 tasks on many kernels, knows only
 * tasks that ran while somebody traced, and keeps stale names. So /proc is read once at
 * the beginning and wins over what the kernel's table said by then; what appears in the
 * table later wins over both, and is kept when the table has long forgotten it.
 *
 * One thread uses it. `struct kft_tasks t = {};` is an empty one.
 */
struct kft_tasks {
	struct kft_task_table table;
	struct kft_map old_lines; /* hashes of lines that were there at the beginning */
	struct kft_strbuf saved_comms; /* the kernel's tables at the last look */
	struct kft_strbuf saved_tgids;
	bool full; /* more tasks than are kept: the newest have no names */
};

void kft_tasks_finish(struct kft_tasks *t);

/* Reads what is known when a recording begins. -ENOMEM; files that are missing say nothing. */
int kft_tasks_begin(struct kft_tasks *t, const struct kft_host *host) __must_check;

/* Only tasks that live now, as /proc has them. -ENOMEM. */
int kft_tasks_living(struct kft_tasks *t, const struct kft_host *host) __must_check;

/* Adds what is new; *ret_changed says whether anything was. */
int kft_tasks_refresh(struct kft_tasks *t, const struct kft_host *host,
		      bool *ret_changed) __must_check;

/*
 * Takes the last name of each pid of names, sorted: the kernel's table has what a task was called
 * when it was last switched while tracing was on, for one that then ran to its end what it was
 * called before its exec. -ENOMEM.
 */
int kft_tasks_take_names(struct kft_tasks *t,
			 const struct kft_task_table *names) __must_check;

/* Appends all of it as saved_cmdlines and saved_tgids would have it. */
void kft_tasks_text(const struct kft_tasks *t, struct kft_strbuf *cmdlines,
		    struct kft_strbuf *tgids);

/*
 * Appends all names as records that hold from a time on (decode/task_names.h), but for pids that
 * are keys of except, which may be NULL.
 */
void kft_tasks_names(const struct kft_tasks *t, uint64_t since_ns,
		     const struct kft_map *except, struct kft_strbuf *records);

#endif
