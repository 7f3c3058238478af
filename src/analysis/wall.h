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

/* The class of a row's time, as the thread itself sees it. */
enum kft_why_class kft_wall_class_of(const struct kft_why_row *row);
