// SPDX-License-Identifier: LGPL-2.1-or-later
/* Work of workqueues: in the queue, and while it is executed. */
#include "derive/engine/async.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"

/* The cause is the task that queued the work. */
static const struct kft_kind_event queued_events[] = {
	{"workqueue", "workqueue_queue_work", {"work", "function"}, KFT_KIND_BEGINS},
	{"workqueue", "workqueue_execute_start", {"work"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_work_queued = {
	.name = "work-queued",
	.group = "work",
	.about = "work from being queued to its start",
	.key = "function",
	.events = queued_events,
	.pairs = {.n_ids = 1, .key = 1},
	.key_name = kft_key_function,
	.create = kft_async_create,
	.feed = kft_async_feed,
	.flush = kft_async_flush,
	.destroy = kft_async_destroy,
};

static const struct kft_kind_event events[] = {
	{"workqueue", "workqueue_execute_start", {"work", "function"}, KFT_KIND_BEGINS},
	{"workqueue", "workqueue_execute_end", {"work"}, KFT_KIND_ENDS},
	{},
};

/* Each kworker executes one work at a time. */
const struct kft_interval_kind kft_kind_work = {
	.name = "work",
	.group = "work",
	.about = "work while it is done",
	.key = "function",
	.events = events,
	.pairs = {.n_ids = 1, .key = 1, .by_task = true},
	.key_name = kft_key_function,
	.create = kft_nested_pairs_create,
	.feed = kft_nested_pairs_by_task,
	.flush = kft_nested_pairs_flush,
	.destroy = kft_nested_pairs_destroy,
};
