// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads task names from COMM and FORK records. */
#include "file/perf/tasks.h"

#include <string.h>

/* Limit for a task name; the kernel's TASK_COMM_LEN is 16. */
#define COMM_BYTES_MAX 64
/*
 * Limit for the forks between a task and its nearest named ancestor; a
 * longer chain is a cycle.
 */
#define PARENTS_MAX 64

void kft_perf_tasks_finish(struct kft_perf_tasks *ts)
{
	kft_map_finish(&ts->since);
	kft_map_finish(&ts->parents);
}

/* Whether the record is newer than the last one of the task. */
static bool is_news(struct kft_perf_tasks *ts, uint32_t pid, uint64_t ts_ns)
{
	uint64_t *since = kft_map_get(&ts->since, pid);

	if (!since && ts->since.len < KFT_PERF_MAX_TASKS)
		since = kft_map_put(&ts->since, pid);
	if (!since) {
		ts->full = true;
		return false;
	}
	if (*since > ts_ns)
		return false;
	*since = ts_ns;
	return true;
}

static void set_comm(struct kft_perf_tasks *ts, uint32_t pid, const char *comm,
		     size_t len)
{
	struct kft_task_table *table = &ts->p->trace->tasks;
	const struct kft_task *t = kft_task_get(table, pid);

	if (t && t->comm && strlen(t->comm) == len && memcmp(t->comm, comm, len) == 0)
		return;
	if (kft_task_set_comm(table, pid, comm, len) < 0)
		ts->full = true;
}

static void set_tgid(struct kft_perf_tasks *ts, uint32_t pid, uint32_t tgid)
{
	if (kft_task_set_tgid(&ts->p->trace->tasks, pid, tgid) < 0)
		ts->full = true;
}

/* COMM: u32 pid (tgid), u32 tid, char comm[] */
static void add_comm(struct kft_perf_tasks *ts, struct kft_cursor *c, uint64_t ts_ns)
{
	uint32_t tgid;
	uint32_t pid;

	if (!kft_cursor_u32(c, &tgid) || !kft_cursor_u32(c, &pid) ||
	    !is_news(ts, pid, ts_ns))
		return;
	const char *comm = (const char *)c->base + c->pos;
	size_t room = KFT_MIN(kft_cursor_left(c), (size_t)COMM_BYTES_MAX);
	set_tgid(ts, pid, tgid);
	set_comm(ts, pid, comm, strnlen(comm, room));
}

/* FORK: u32 pid (tgid), u32 ppid, u32 tid, u32 ptid, u64 time */
static void add_fork(struct kft_perf_tasks *ts, struct kft_cursor *c)
{
	uint32_t tgid;
	uint32_t pid;
	uint32_t parent;
	uint64_t ts_ns;

	if (!kft_cursor_u32(c, &tgid) || !kft_cursor_skip(c, 4) ||
	    !kft_cursor_u32(c, &pid) || !kft_cursor_u32(c, &parent) ||
	    !kft_cursor_u64(c, &ts_ns) || !is_news(ts, pid, ts_ns))
		return;
	const struct kft_task *from = kft_task_get(&ts->p->trace->tasks, parent);
	set_tgid(ts, pid, tgid);
	if (from && from->comm)
		set_comm(ts, pid, from->comm, strlen(from->comm));
	uint64_t *place = kft_map_put(&ts->parents, pid);
	if (place)
		*place = parent;
	else
		ts->full = true;
}

void kft_perf_tasks_add(struct kft_perf_tasks *ts, const uint8_t *rec, size_t size)
{
	struct kft_cursor c = kft_cursor_init(rec, size, ts->p->in.swap);
	struct kft_perf_place place = kft_perf_place(ts->p, rec, size);
	const struct kft_perf_attr *a = kft_perf_attrs_of_other(&ts->p->attrs, rec, size);

	if (!kft_cursor_skip(&c, KFT_PERF_RECORD_HEADER_BYTES))
		return;
	/* The struct sample_id at the record's end is not part of the name. */
	if (a)
		c.size -= a->back_bytes;
	if (kft_load_u32(rec, c.swap) == KFT_PERF_RECORD_COMM)
		add_comm(ts, &c, place.ts);
	else
		add_fork(ts, &c);
}

static const char *inherited(const struct kft_perf_tasks *ts, uint32_t pid)
{
	const struct kft_task *t = kft_task_get(&ts->p->trace->tasks, pid);

	for (unsigned int i = 0; i < PARENTS_MAX && !(t && t->comm); i++) {
		const uint64_t *parent = kft_map_get(&ts->parents, pid);

		if (!parent)
			return NULL;
		pid = *parent;
		t = kft_task_get(&ts->p->trace->tasks, pid);
	}
	return t ? t->comm : NULL;
}

void kft_perf_tasks_end(struct kft_perf_tasks *ts)
{
	struct kft_map *m = &ts->parents;

	for (size_t i = 0; m->slots && i <= m->mask; i++) {
		const char *comm = m->slots[i].key == KFT_MAP_NO_KEY
					   ? NULL
					   : inherited(ts, m->slots[i].key);

		if (comm)
			set_comm(ts, m->slots[i].key, comm, strlen(comm));
	}
}
