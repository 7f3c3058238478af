// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds up the time that tasks were off CPU. */
#include "derive/calls/offcpu.h"

#include <errno.h>

void kft_offcpu_finish(struct kft_offcpu *o)
{
	kft_vec_for_each(&o->tasks, task)
		kft_vec_finish(&task->spans);
	kft_vec_finish(&o->tasks);
	kft_map_finish(&o->by_pid);
}

static const struct kft_offcpu_task *find(const struct kft_offcpu *o, int32_t pid)
{
	return kft_keyed_get(&o->tasks, &o->by_pid, (uint32_t)pid);
}

static struct kft_offcpu_task *get(struct kft_offcpu *o, int32_t pid)
{
	return kft_keyed_put(&o->tasks, &o->by_pid, (uint32_t)pid,
			     (struct kft_offcpu_task){});
}

int kft_offcpu_seen(struct kft_offcpu *o, int32_t pid, uint64_t ts)
{
	struct kft_offcpu_task *task = pid > 0 ? get(o, pid) : NULL;

	if (pid > 0 && !task)
		return -ENOMEM;
	/* A task that is off here came back without a recorded switch, at an unknown time. */
	if (task && !task->is_off)
		task->since = ts;
	return 0;
}

static int leave(struct kft_offcpu *o, int32_t pid, uint64_t ts)
{
	struct kft_offcpu_task *task = pid > 0 ? get(o, pid) : NULL;

	if (pid > 0 && !task)
		return -ENOMEM;
	/* Two instances can record the same switch. */
	if (task && !task->is_off) {
		task->is_off = true;
		task->since = ts;
	}
	return 0;
}

static int come_back(struct kft_offcpu *o, int32_t pid, uint64_t ts)
{
	struct kft_offcpu_task *task = pid > 0 ? get(o, pid) : NULL;

	if (pid <= 0)
		return 0;
	if (!task)
		return -ENOMEM;
	struct kft_offcpu_span span = {task->since, ts, task->total_ns};

	task->is_off = false;
	task->since = ts;
	if (ts <= span.since)
		return 0;
	task->total_ns += ts - span.since;
	return o->keep_spans && !kft_vec_push(&task->spans, span) ? -ENOMEM : 0;
}

int kft_offcpu_switch(struct kft_offcpu *o, uint64_t ts, int32_t prev, int32_t next)
{
	int r = leave(o, prev, ts);

	o->any = true;
	return r < 0 ? r : come_back(o, next, ts);
}

uint64_t kft_offcpu_total(const struct kft_offcpu *o, int32_t pid, uint64_t ts)
{
	const struct kft_offcpu_task *task = find(o, pid);

	if (!task)
		return 0;
	return task->total_ns + (task->is_off && ts > task->since ? ts - task->since : 0);
}

/* The total up to ts, which may be long ago. */
static uint64_t total_at(const struct kft_offcpu_task *task, uint64_t ts)
{
	/* Afterwards the last span that began before ts is at low - 1. */
	size_t low = kft_count_leading(task->spans.len, mid,
				       task->spans.data[mid].since < ts);
	if (!low)
		return 0;
	const struct kft_offcpu_span *s = &task->spans.data[low - 1];

	return s->before_ns + KFT_MIN(ts, s->until) - s->since;
}

uint64_t kft_offcpu_between(const struct kft_offcpu *o, int32_t pid, uint64_t from,
			    uint64_t to)
{
	const struct kft_offcpu_task *task = find(o, pid);

	return task ? total_at(task, to) - total_at(task, from) : 0;
}
