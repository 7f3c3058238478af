/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/why/why.h"
#include "model/scope.h"

/*
 * Divides the whole time of each thread: in which functions it ran, what it waited for, and which task
 * it waited for. A thread's time begins at its first known state, and ends at its exit or at the end of
 * the scope.
 */

/* Takes the explained time of a thread; a negative result ends the run. */
typedef int kft_wall_fn(void *arg, const struct kft_why *life);

/*
 * Calls fn for each thread in scope: first the threads of the recorded command, then the others, each in
 * the order of their first events. The recorder's own threads are left out unless the scope names tasks.
 * The rows of a life add up to its interval. The trace's symbols and tasks must be loaded before.
 * -ENODATA: no states of tasks are in scope; -E2BIG: the scope has too many events.
 */
int kft_wall_run(struct kft_trace *t, const struct kft_scope *scope, kft_wall_fn *fn,
		 void *arg, struct kft_err *e) __must_check;

/* Classes of a thread's time, which tables have as columns. */
enum kft_wall_class {
	KFT_WALL_RUNNING,
	KFT_WALL_CPU, /* runnable: behind others, or held back */
	KFT_WALL_TASKS, /* waiting for another task */
	KFT_WALL_IO, /* waiting for a block device */
	KFT_WALL_SLEEP, /* until a time */
	KFT_WALL_DEVICE, /* waiting for another interrupt */
	KFT_WALL_INTERRUPTED, /* on a CPU that did something else, or stood still */
	KFT_WALL_OTHER, /* stopped, lost, not in the trace */

	KFT_WALL_CLASSES,
};

enum kft_wall_class kft_wall_class_of(const struct kft_why_row *row);
