/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_TRIM_EXITS_H
#define KFT_SESSION_RUN_TRIM_EXITS_H

#include "base/map.h"
#include "base/vec.h"
#include "session/run/trim_event.h"

/*
 * The last exits of a task, one of which is what a stop at an exit is about: behind it come
 * those of functions that the kernel itself calls to notice it, and of interrupts.
 */
#define KFT_TRIM_EXITS_REMEMBERED 32

struct kft_trim_exit {
	uint64_t func;
	size_t at; /* index of the event */
	uint64_t ts;
};

struct kft_trim_task_exits {
	struct kft_trim_exit last[KFT_TRIM_EXITS_REMEMBERED];
	size_t count; /* so far: the next one goes to count % KFT_TRIM_EXITS_REMEMBERED */
};

struct kft_trim_exits {
	struct kft_map by_pid; /* -> index + 1 into tasks */
	KFT_VEC(struct kft_trim_task_exits) tasks;
};

void kft_trim_exits_finish(struct kft_trim_exits *e);

/* at: index of the event. -ENOMEM. */
int kft_trim_exits_add(struct kft_trim_exits *e, const struct kft_trim_event *exit,
		       size_t at) __must_check;

/* The return that a stop is about: the last one of its function in its task; NULL: none. */
const struct kft_trim_exit *kft_trim_exits_find(const struct kft_trim_exits *e,
						const struct kft_trim_event *stop);

#endif
