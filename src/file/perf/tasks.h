/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_TASKS_H
#define KFT_FILE_PERF_TASKS_H

#include "base/map.h"
#include "file/perf/state.h"

/*
 * Names of tasks from COMM and FORK records. Those of several CPUs come in no order of
 * time: what is newest wins, as in the kernel's own table.
 */
struct kft_perf_tasks {
	struct kft_perf *p; /* borrowed */
	struct kft_map since; /* pid -> time of what is known of it */
	struct kft_map parents; /* pid -> pid that it was forked from */
	bool full; /* some names are missing: too many, or out of memory */
};

void kft_perf_tasks_finish(struct kft_perf_tasks *ts);

/* A record of type COMM or FORK; one that is too short is passed over. */
void kft_perf_tasks_add(struct kft_perf_tasks *ts, const uint8_t *rec, size_t size);

/* After all records: who has no name of its own is called as whom it was forked from. */
void kft_perf_tasks_end(struct kft_perf_tasks *ts);

#endif
