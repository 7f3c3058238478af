// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/task.h"

#include <errno.h>
#include <string.h>

void kft_task_table_finish(struct kft_task_table *t)
{
	kft_map_finish(&t->by_pid);
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
	/* A recorder says the same again and again; the arena would only grow. */
	if (task->comm && strlen(task->comm) == len && memcmp(task->comm, comm, len) == 0)
		return 0;
	const char *copy = kft_arena_strndup(&t->arena, comm, len);
	if (!copy)
		return -ENOMEM;
	task->comm = copy;
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
