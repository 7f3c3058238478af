// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the tasks that wait for each CPU. */
#include "view/runqueue.h"

#include <errno.h>

#include "base/bits.h"

enum { SWITCH, WAKING, WAKEUP, WAKEUP_NEW, MIGRATE };

static const struct {
	const char *name;
	const char *fields[KFT_VIEW_RUNQUEUE_FIELDS];
} known[KFT_VIEW_RUNQUEUE_EVENTS] = {
	[SWITCH] = {"sched_switch", {"prev_pid", "prev_state", "next_pid"}},
	[WAKING] = {"sched_waking", {"pid", "target_cpu"}},
	[WAKEUP] = {"sched_wakeup", {"pid", "target_cpu"}},
	[WAKEUP_NEW] = {"sched_wakeup_new", {"pid", "target_cpu"}},
	[MIGRATE] = {"sched_migrate_task", {"pid", "dest_cpu"}},
};

/* The state of a task; values from WAITS on mean waiting for CPU (value - WAITS). */
enum { SLEEPS, RUNS, WAITS };

#define CPU_MAX 8192

void kft_view_runqueue_finish(struct kft_view_runqueue *q)
{
	kft_map_finish(&q->places);
	kft_vec_finish(&q->waiting);
}

static bool find(struct kft_view_runqueue *q, struct kft_trace *t, size_t i)
{
	const struct kft_class *cls = kft_class_table_find(&t->classes, "sched",
							   known[i].name);

	if (!cls)
		return false;
	for (size_t f = 0; f < KFT_VIEW_RUNQUEUE_FIELDS && known[i].fields[f]; f++)
		if (!(q->events[i].fields[f] = kft_class_field(cls, known[i].fields[f])))
			return false;
	q->events[i].id = cls->id;
	return true;
}

bool kft_view_runqueue_init(struct kft_view_runqueue *q, struct kft_trace *t,
			    uint32_t counter, uint64_t *wanted)
{
	q->swap = t->swap;
	q->counter = counter;
	for (size_t i = 0; i < KFT_VIEW_RUNQUEUE_EVENTS; i++)
		if (find(q, t, i))
			kft_bits_add(wanted, q->events[i].id);
	return q->events[SWITCH].id && (q->events[WAKING].id || q->events[WAKEUP].id);
}

/* Changes the number of tasks that wait for a CPU by one. */
static int change(struct kft_view_runqueue *q, uint64_t cpu, int by, uint64_t ts,
		  struct kft_view_series *s)
{
	const uint64_t name[KFT_VIEW_SERIES_BY] = {cpu};

	while (q->waiting.len <= cpu)
		if (!kft_vec_push(&q->waiting, 0))
			return -ENOMEM;
	q->waiting.data[cpu] += by;
	return kft_view_series_set(s, q->counter, name, ts, q->waiting.data[cpu]);
}

static int move(struct kft_view_runqueue *q, uint64_t pid, uint64_t to, uint64_t ts,
		struct kft_view_series *s)
{
	uint64_t *place = kft_map_put(&q->places, pid);
	int r = 0;

	if (!place)
		return -ENOMEM;
	uint64_t from = *place;

	*place = to;
	if (from == to)
		return 0;
	if (from >= WAITS)
		r = change(q, from - WAITS, -1, ts, s);
	return !r && to >= WAITS ? change(q, to - WAITS, 1, ts, s) : r;
}

/* A task was woken or migrated; a running task is ignored. */
static int wait_for(struct kft_view_runqueue *q, size_t event, uint64_t pid, uint64_t cpu,
		    uint64_t ts, struct kft_view_series *s)
{
	const uint64_t *place = kft_map_get(&q->places, pid);

	if (cpu >= CPU_MAX || (place && *place == RUNS) ||
	    (event == MIGRATE && !(place && *place >= WAITS)))
		return 0;
	return move(q, pid, WAITS + cpu, ts, s);
}

static int switch_tasks(struct kft_view_runqueue *q, const struct kft_event *ev,
			const uint64_t *values, struct kft_view_series *s)
{
	/* Higher bits mark a preempted task, in any state. */
	bool could_run = (values[1] & 0xff) == 0;
	uint64_t prev = (uint32_t)values[0];
	uint64_t next = (uint32_t)values[2];
	int r = 0;

	if (prev && ev->cpu < CPU_MAX)
		r = move(q, prev, could_run ? WAITS + ev->cpu : SLEEPS, ev->ts, s);
	return !r && next ? move(q, next, RUNS, ev->ts, s) : r;
}

int kft_view_runqueue_feed(struct kft_view_runqueue *q, const struct kft_event *ev,
			   struct kft_view_series *s)
{
	uint64_t values[KFT_VIEW_RUNQUEUE_FIELDS] = {};
	size_t i = 0;

	while (i < KFT_VIEW_RUNQUEUE_EVENTS && q->events[i].id != ev->id)
		i++;
	if (i == KFT_VIEW_RUNQUEUE_EVENTS)
		return 0;
	for (size_t f = 0; f < KFT_VIEW_RUNQUEUE_FIELDS && q->events[i].fields[f]; f++)
		if (!kft_event_int(ev, q->events[i].fields[f], q->swap, &values[f]))
			return 0;
	return i == SWITCH ? switch_tasks(q, ev, values, s)
			   : wait_for(q, i, (uint32_t)values[0], (uint32_t)values[1],
				      ev->ts, s);
}
