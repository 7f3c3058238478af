// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tracks a process and its descendants. */
#include "watch/own_tasks.h"

#include <errno.h>

#include "derive/engine/engine.h"

#define IN_INTERRUPT (KFT_FLAG_HARDIRQ | KFT_FLAG_SOFTIRQ | KFT_FLAG_NMI)

static int put(struct kft_own_tasks *f, uint64_t pid, bool is_in)
{
	uint64_t *slot = kft_map_put(&f->pids, (uint32_t)pid);

	if (!slot)
		return -ENOMEM;
	*slot = is_in;
	return 0;
}

int kft_own_tasks_init(struct kft_own_tasks *f, struct kft_trace *t, int32_t pid)
{
	*f = (struct kft_own_tasks){.trace = t};
	f->task = kft_trace_common_field(t, "common_pid");
	f->flags = kft_trace_common_field(t, "common_flags");
	f->fork = kft_class_table_find(&t->classes, "sched", KFT_FAMILY_EVENT);
	f->child = f->fork ? kft_class_field(f->fork, "child_pid") : NULL;
	return put(f, (uint32_t)pid, true);
}

void kft_own_tasks_finish(struct kft_own_tasks *f)
{
	kft_map_finish(&f->pids);
}

bool kft_own_tasks_has(const struct kft_own_tasks *f, int32_t pid)
{
	const uint64_t *slot = kft_map_get(&f->pids, (uint32_t)pid);

	return slot && *slot;
}

static uint64_t value(const struct kft_own_tasks *f, const struct kft_field *field,
		      const struct kft_event *ev)
{
	uint64_t v = 0;

	return field && kft_event_int(ev, field, f->trace->swap, &v) ? v : 0;
}

int32_t kft_own_tasks_task(const struct kft_own_tasks *f, const struct kft_event *ev)
{
	return (int32_t)value(f, f->task, ev);
}

int kft_own_tasks_feed(struct kft_own_tasks *f, const struct kft_event *ev)
{
	if (!f->child || ev->id != f->fork->id)
		return 0;
	uint64_t child = value(f, f->child, ev);
	bool is_in = kft_own_tasks_has(f, (int32_t)value(f, f->task, ev));

	/* A pid of the family that is reused by a process outside of it is removed. */
	return is_in || kft_own_tasks_has(f, (int32_t)child) ? put(f, child, is_in) : 0;
}

bool kft_own_tasks_did(const struct kft_own_tasks *f, const struct kft_event *ev)
{
	return f->task && !(value(f, f->flags, ev) & IN_INTERRUPT) &&
	       kft_own_tasks_has(f, (int32_t)value(f, f->task, ev));
}
