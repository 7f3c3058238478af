// SPDX-License-Identifier: LGPL-2.1-or-later
/* Remembers the last returns of each task. */
#include "session/run/trim_exits.h"

#include <errno.h>

void kft_trim_exits_finish(struct kft_trim_exits *e)
{
	kft_map_finish(&e->by_pid);
	kft_vec_finish(&e->tasks);
}

int kft_trim_exits_add(struct kft_trim_exits *e, const struct kft_trim_event *exit,
		       size_t at)
{
	uint64_t *place = kft_map_put(&e->by_pid, (uint32_t)exit->pid);

	if (!place)
		return -ENOMEM;
	if (!*place) {
		if (!kft_vec_push(&e->tasks, (struct kft_trim_task_exits){}))
			return -ENOMEM;
		*place = e->tasks.len;
	}
	struct kft_trim_task_exits *task = &e->tasks.data[*place - 1];
	task->last[task->count++ % KFT_TRIM_EXITS_REMEMBERED] =
		(struct kft_trim_exit){exit->func, at, exit->ev->ts};
	return 0;
}

const struct kft_trim_exit *kft_trim_exits_find(const struct kft_trim_exits *e,
						const struct kft_trim_event *stop)
{
	const uint64_t *place = kft_map_get(&e->by_pid, (uint32_t)stop->pid);

	if (!place || !*place)
		return NULL;
	const struct kft_trim_task_exits *task = &e->tasks.data[*place - 1];
	size_t n = KFT_MIN(task->count, (size_t)KFT_TRIM_EXITS_REMEMBERED);
	for (size_t i = 1; i <= n; i++) {
		const struct kft_trim_exit *exit =
			&task->last[(task->count - i) % KFT_TRIM_EXITS_REMEMBERED];

		if (kft_trim_is_near(exit->func, stop->func))
			return exit;
	}
	return NULL;
}
