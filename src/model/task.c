// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps names of tasks with their times. */
#include "model/task.h"

#include <errno.h>
#include <string.h>

void kft_task_table_finish(struct kft_task_table *t)
{
	kft_map_finish(&t->by_pid);
	kft_map_finish(&t->names_of);
	kft_vec_finish(&t->names);
	kft_arena_finish(&t->arena);
}

const struct kft_task *kft_task_get(const struct kft_task_table *t, uint32_t pid)
{
	const uint64_t *slot = kft_map_get(&t->by_pid, pid);

	return slot ? (const struct kft_task *)(uintptr_t)*slot : NULL;
}

const char *kft_task_comm(const struct kft_task_table *t, uint32_t pid)
{
	const struct kft_task *task = kft_task_get(t, pid);

	if (pid == 0)
		return "<idle>";
	return task && task->comm ? task->comm : "<...>";
}

/* The index, from first on, of the pid's first name that begins after ts. */
static size_t next_name(const struct kft_task_table *t, size_t first, uint64_t ts)
{
	const uint32_t pid = t->names.data[first].pid;
	size_t lo = first;
	size_t hi = t->names.len;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct kft_task_name *n = &t->names.data[mid];

		if (n->pid == pid && n->ts <= ts)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct kft_task_span kft_task_span_at(const struct kft_task_table *t, uint32_t pid,
				      uint64_t ts)
{
	const uint64_t *slot = pid ? kft_map_get(&t->names_of, pid) : NULL;
	struct kft_task_span span = {.until = UINT64_MAX};

	if (!slot) {
		span.comm = kft_task_comm(t, pid);
		return span;
	}
	const struct kft_task_name *names = t->names.data;
	size_t first = *slot - 1;
	size_t next = next_name(t, first, ts);
	if (next < t->names.len && names[next].pid == pid)
		span.until = names[next].ts;
	span.comm = "<...>";
	if (next > first) {
		span.comm = names[next - 1].comm;
		span.since = names[next - 1].ts;
		span.number = next;
		span.is_kernel = names[next - 1].is_kernel;
	}
	return span;
}

/* A name ends where the next one of its pid begins. */
static uint64_t name_until(const struct kft_task_table *t, size_t i)
{
	const struct kft_task_name *n = &t->names.data[i];

	return i + 1 < t->names.len && n[1].pid == n->pid ? n[1].ts : UINT64_MAX;
}

static bool is_same_task(const struct kft_task_table *t, size_t i)
{
	const struct kft_task_name *n = &t->names.data[i];

	return i > 0 && n->is_renamed && n[-1].pid == n->pid;
}

const char *kft_task_comm_longest(const struct kft_task_table *t, uint32_t pid,
				  uint64_t ts, uint64_t since, uint64_t until)
{
	struct kft_task_span now = kft_task_span_at(t, pid, ts);

	if (!now.number && now.until < until)
		now = kft_task_span_at(t, pid, now.until);
	const char *comm = now.comm;
	uint64_t longest = 0;

	if (!now.number)
		return comm;
	size_t i = now.number - 1;

	while (is_same_task(t, i))
		i--;
	do {
		uint64_t from = KFT_MAX(since, t->names.data[i].ts);
		uint64_t to = KFT_MIN(until, name_until(t, i));

		if (to > from && to - from > longest) {
			longest = to - from;
			comm = t->names.data[i].comm;
		}
		i++;
	} while (i < t->names.len && is_same_task(t, i));
	return comm;
}

/* Prefixes of names that only kernel threads have. */
static bool has_kernel_name(const char *comm)
{
	static const char *const begins[] = {"kworker/", "ksoftirqd/", "migration/",
					     "rcu_",	 "cpuhp/",     "irq/",
					     "kswapd",	 "jbd2/",      "kthreadd"};

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (strncmp(comm, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

bool kft_task_is_kernel(const struct kft_task_table *t, uint32_t pid, uint64_t ts)
{
	const struct kft_task_span span = kft_task_span_at(t, pid, ts);

	return span.is_kernel || !pid || has_kernel_name(span.comm);
}

static int by_pid_and_time(const void *pa, const void *pb)
{
	const struct kft_task_name *a = pa;
	const struct kft_task_name *b = pb;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->ts < b->ts ? -1 : a->ts > b->ts;
}

int kft_task_table_sort(struct kft_task_table *t)
{
	kft_map_finish(&t->names_of);
	if (t->names.len)
		qsort(t->names.data, t->names.len, sizeof(*t->names.data),
		      by_pid_and_time);
	for (size_t i = 0; i < t->names.len; i++) {
		uint64_t *slot = kft_map_put(&t->names_of, t->names.data[i].pid);

		if (!slot)
			return -ENOMEM;
		struct kft_task_name *name = &t->names.data[i];

		if (*slot && name->is_renamed)
			name->is_kernel = name[-1].is_kernel;
		if (!*slot)
			*slot = i + 1;
	}
	return 0;
}

static struct kft_task *put(struct kft_task_table *t, uint32_t pid)
{
	uint64_t *slot = kft_map_put(&t->by_pid, pid);

	if (!slot)
		return NULL;
	if (!*slot) {
		struct kft_task *task = kft_arena_alloc(&t->arena, sizeof(*task));

		if (!task)
			return NULL;
		task->pid = pid;
		*slot = (uintptr_t)task;
	}
	return (struct kft_task *)(uintptr_t)*slot;
}

int kft_task_set_comm(struct kft_task_table *t, uint32_t pid, const char *comm,
		      size_t len)
{
	struct kft_task *task = put(t, pid);

	if (!task)
		return -ENOMEM;
	/* A recorder repeats names often; copying each would only make the arena grow. */
	if (task->comm && strlen(task->comm) == len && memcmp(task->comm, comm, len) == 0)
		return 0;
	const char *copy = kft_arena_strndup(&t->arena, comm, len);
	if (!copy)
		return -ENOMEM;
	task->comm = copy;
	return 0;
}

int kft_task_set_kernel(struct kft_task_table *t, uint32_t pid)
{
	struct kft_task *task = put(t, pid);

	if (!task)
		return -ENOMEM;
	task->is_kernel = true;
	return 0;
}

int kft_task_set_tgid(struct kft_task_table *t, uint32_t pid, uint32_t tgid)
{
	struct kft_task *task = put(t, pid);

	if (!task)
		return -ENOMEM;
	task->tgid = tgid;
	return 0;
}
