/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_WATCH_FAMILY_H
#define KFT_WATCH_FAMILY_H

#include "base/map.h"
#include "model/trace.h"

/* The event that a family is known by, for the plan of what records it. */
#define KFT_FAMILY_EVENT "sched_process_fork"

/*
 * A process and all that it started, by the events of the trace: what a watcher and its
 * commands do is no reason for a condition to come.
 */
struct kft_family {
	const struct kft_trace *trace; /* borrowed */
	const struct kft_field *task; /* common_pid; these borrow from the trace */
	const struct kft_field *flags; /* common_flags */
	const struct kft_class *fork; /* NULL: only the process itself is known */
	const struct kft_field *child;
	struct kft_map pids; /* 1: of the family */
};

/* -ENOMEM; to be finished in any case. */
int kft_family_init(struct kft_family *f, struct kft_trace *t, int32_t pid) __must_check;
void kft_family_finish(struct kft_family *f);

/* The next event, in the order of time. -ENOMEM. */
int kft_family_feed(struct kft_family *f, const struct kft_event *ev) __must_check;

/* The task that an event is of. */
int32_t kft_family_task(const struct kft_family *f, const struct kft_event *ev);

bool kft_family_has(const struct kft_family *f, int32_t pid);

/* Whether an event is the family's doing: not what an interrupt did meanwhile. */
bool kft_family_did(const struct kft_family *f, const struct kft_event *ev);

#endif
