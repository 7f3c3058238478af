// SPDX-License-Identifier: LGPL-2.1-or-later
/* Remembers the last returns of each task. */
#include "analysis/cut/returns.h"

#include <errno.h>

void kft_cut_returns_finish(struct kft_cut_returns *e)
{
	kft_map_finish(&e->by_pid);
	kft_vec_finish(&e->tasks);
}

int kft_cut_returns_add(struct kft_cut_returns *e, const struct kft_cut_record *exit,
			size_t at)
{
	uint64_t *place = kft_map_put(&e->by_pid, (uint32_t)exit->pid);

	if (!place)
		return -ENOMEM;
	if (!*place) {
		if (!kft_vec_push(&e->tasks, (struct kft_cut_task_returns){}))
			return -ENOMEM;
		*place = e->tasks.len;
	}
	struct kft_cut_task_returns *task = &e->tasks.data[*place - 1];
	task->last[task->count++ % KFT_CUT_RETURNS_REMEMBERED] =
		(struct kft_cut_return){exit->func, at, exit->ev->ts};
	return 0;
}

const struct kft_cut_return *kft_cut_returns_find(const struct kft_cut_returns *e,
						  const struct kft_cut_record *stop)
{
	const uint64_t *place = kft_map_get(&e->by_pid, (uint32_t)stop->pid);

	if (!place || !*place)
		return NULL;
	const struct kft_cut_task_returns *task = &e->tasks.data[*place - 1];
	size_t n = KFT_MIN(task->count, (size_t)KFT_CUT_RETURNS_REMEMBERED);
	for (size_t i = 1; i <= n; i++) {
		const struct kft_cut_return *exit =
			&task->last[(task->count - i) % KFT_CUT_RETURNS_REMEMBERED];

		if (kft_cut_is_near(exit->func, stop->func))
			return exit;
	}
	return NULL;
}
