/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/why/why.h"
#include "model/scope.h"

/*
 * The whole time of threads, from the first moment at which a thread's state is known to its exit or to
 * the end of the scope: when it ran and in which functions, and for what and for whom it waited.
 */

/* Takes the explained time of a thread; a negative result ends the run. */
typedef int kft_wall_fn(void *arg, const struct kft_why *life);

/*
 * Calls fn for each thread in scope, in the order of the tasks' first events. The rows of a life add
 * up to its interval. The trace's symbols and tasks must be loaded before. -ENODATA: no states of
 * tasks are in scope; -E2BIG: the scope has too many events.
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
