/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "model/trace.h"

/* The event that the family is tracked by; it must be in the plan of the recording. */
#define KFT_FAMILY_EVENT "sched_process_fork"

/*
 * A process and its descendants, tracked by the trace's events: the activities of a
 * watcher and its commands must not meet conditions.
 */
struct kft_own_tasks {
	const struct kft_trace *trace; /* borrowed */
	/* common_pid; the fields and the class are borrowed from the trace */
	const struct kft_field *task;
	const struct kft_field *flags; /* common_flags */
	const struct kft_class *fork; /* NULL: only the process itself is known */
	const struct kft_field *child;
	struct kft_map pids; /* pid -> 1 for each member */
};

/* -ENOMEM; must be finished in any case. */
int kft_own_tasks_init(struct kft_own_tasks *f, struct kft_trace *t,
		       int32_t pid) __must_check;
void kft_own_tasks_finish(struct kft_own_tasks *f);

/* Must be called for each event, in the order of time. -ENOMEM. */
int kft_own_tasks_feed(struct kft_own_tasks *f, const struct kft_event *ev) __must_check;

/* The task of an event. */
int32_t kft_own_tasks_task(const struct kft_own_tasks *f, const struct kft_event *ev);

bool kft_own_tasks_has(const struct kft_own_tasks *f, int32_t pid);

/*
 * Whether the family caused an event; an interrupt during its execution does not count.
 */
bool kft_own_tasks_did(const struct kft_own_tasks *f, const struct kft_event *ev);
