/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "file/perf/state.h"

/*
 * Task names from COMM and FORK records. Records of several CPUs are not in order of
 * time: the newest name wins, as in the kernel's own table.
 */
struct kft_perf_tasks {
	struct kft_perf *p; /* borrowed */
	struct kft_map since; /* pid -> time of its newest record */
	struct kft_map parents; /* pid -> pid of the task that forked it */
	bool full; /* some names are missing: too many, or out of memory */
};

void kft_perf_tasks_finish(struct kft_perf_tasks *ts);

/* Adds a COMM or FORK record; one that is too short is ignored. */
void kft_perf_tasks_add(struct kft_perf_tasks *ts, const uint8_t *rec, size_t size);

/*
 * Called after all records: a task without a name gets that of
 * its nearest named ancestor.
 */
void kft_perf_tasks_end(struct kft_perf_tasks *ts);
