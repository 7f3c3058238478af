/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/analysis.h"

/*
 * Statistics of a trace: numbers of events and losses by event type, CPU and task, and the
 * time span. Times are in units of the buffer's clock.
 */
enum kft_stats_part {
	KFT_STATS_EVENTS = 1 << 0,
	KFT_STATS_CPUS = 1 << 1,
	KFT_STATS_TASKS = 1 << 2,
	KFT_STATS_ALL = KFT_STATS_EVENTS | KFT_STATS_CPUS | KFT_STATS_TASKS,
};

struct kft_stats_event {
	uint16_t buffer; /* index into kft_trace.buffers */
	uint16_t id;
	uint64_t count;
	uint64_t first; /* valid, like last, if kft_stats.have_event_times is set */
	uint64_t last;
};

struct kft_stats_cpu {
	uint16_t buffer;
	uint32_t cpu;
	uint64_t count;
	uint64_t first;
	uint64_t last;
	uint64_t gaps; /* places where events are missing */
	uint64_t uncounted_gaps; /* gaps of unknown size; included in gaps */
	uint64_t lost; /* events missing in gaps of known size */
};

struct kft_stats_task {
	uint32_t pid;
	uint64_t count;
};

/* Statistics of all buffers together. */
struct kft_stats {
	uint64_t count;
	bool have_time; /* first and last are valid; from buffers with a clock in ns */
	uint64_t first;
	uint64_t last;
	uint64_t gaps;
	uint64_t uncounted_gaps;
	uint64_t lost;
	uint64_t too_deep; /* calls not recorded because the return stack was full */
	uint64_t overwritten; /* overwritten before the first event; no loss */
	uint64_t whole_from; /* latest first event of CPUs with these; 0: none */
	unsigned int parts; /* enum kft_stats_part: the parts that were requested */
	bool have_event_times;
	bool have_tasks; /* false: events have no task, or tasks were not requested */
	KFT_VEC(struct kft_stats_event)
	events; /* most frequent first, then by buffer and id */
	KFT_VEC(struct kft_stats_cpu)
	cpus; /* by buffer and CPU; includes CPUs without events */
	KFT_VEC(struct kft_stats_task) tasks; /* most events first, then by pid */
};

/*
 * Fills ret, which kft_stats_finish() frees. Totals are always computed; parts (enum
 * kft_stats_part) selects events, cpus and tasks. Without tasks, a stream counts its events
 * by id only if it can, in a fraction of the time; events have no times then. Errors as
 * kft_analysis_run().
 */
int kft_stats_run(struct kft_trace *t, unsigned int parts,
		  const struct kft_analysis_opts *opts, struct kft_stats *ret,
		  struct kft_err *e) __must_check;
void kft_stats_finish(struct kft_stats *stats);
