/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_STATS_H
#define KFT_ANALYSIS_STATS_H

#include "analysis/analysis.h"

/*
 * What a trace holds: how many of each event, from when to when, by whom, on which CPU,
 * and what is missing. Times are in units of the buffer's clock.
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
	uint64_t first; /* and last: as kft_stats.have_event_times says */
	uint64_t last;
};

struct kft_stats_cpu {
	uint16_t buffer;
	uint32_t cpu;
	uint64_t count;
	uint64_t first;
	uint64_t last;
	uint64_t gaps; /* places where events are missing */
	uint64_t uncounted_gaps; /* of these, those of unknown size */
	uint64_t lost; /* events missing in the others */
};

struct kft_stats_task {
	uint32_t pid;
	uint64_t count;
};

/* Of all buffers together. */
struct kft_stats {
	uint64_t count;
	bool have_time; /* first and last: of the buffers whose clock counts ns */
	uint64_t first;
	uint64_t last;
	uint64_t gaps;
	uint64_t uncounted_gaps;
	uint64_t lost;
	uint64_t too_deep; /* calls that no return stack had room for: not recorded */
	uint64_t overwritten; /* on purpose, before the first event: no loss */
	uint64_t whole_from; /* the latest first event of CPUs with such; 0: none */
	unsigned int parts; /* enum kft_stats_part: what was asked for */
	bool have_event_times;
	bool have_tasks; /* false: the events name no task, or none was asked for */
	KFT_VEC(struct kft_stats_event)
	events; /* most frequent first, then by buffer, id */
	KFT_VEC(struct kft_stats_cpu)
	cpus; /* by buffer and CPU; those without events too */
	KFT_VEC(struct kft_stats_task) tasks; /* most events first, then by pid */
};

/*
 * Fills ret, which kft_stats_finish() frees. Totals are always there; parts (enum
 * kft_stats_part) says which of events, cpus and tasks are. Without tasks a stream that
 * can counts its events by id only, in a fraction of the time, so that events come
 * without their times. Errors as kft_analysis_run().
 */
int kft_stats_run(struct kft_trace *t, unsigned int parts,
		  const struct kft_analysis_opts *opts, struct kft_stats *ret,
		  struct kft_err *e) __must_check;
void kft_stats_finish(struct kft_stats *stats);

#endif
