/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_WHY_FINDER_H
#define KFT_ANALYSIS_WHY_FINDER_H

#include "analysis/why_path.h"

/*
 * Finding the pieces of an interval: functions that tile the stretch of time that they are
 * given, whatever the trace says. They call each other: what a task waited for is what
 * another one did meanwhile.
 */
struct kft_why_finder {
	struct kft_why_path *path; /* borrowed */
	const struct kft_why_facts *facts; /* borrowed */
	const struct kft_interval_kind *syscall;
	const struct kft_interval_kind *work;
	const struct kft_interval_kind *lock;
	const struct kft_interval_kind *futex;
	const struct kft_interval_kind *reclaim;
	const struct kft_interval_kind *softirq;
	const struct kft_interval_kind *irq;
	const struct kft_interval *own_irq; /* the interrupt that is explained */
	bool is_due; /* a timer should have expired in this time */
	int depth;
};

/* A stretch of time that is being explained. */
struct kft_why_stretch {
	uint64_t begin;
	uint64_t end;
	uint32_t link;
};

/* Takes what is before `until` from a stretch: at least something, and no more than it has. */
struct kft_why_stretch kft_why_stretch_take(struct kft_why_stretch *s, uint64_t until);

/* A piece is all of a stretch, or what it was made for and then changed. */
struct kft_why_segment kft_why_segment_of(const struct kft_why_stretch *s,
					  enum kft_why_cause cause, int32_t pid,
					  uint32_t cpu);
void kft_why_tile(struct kft_why_finder *f, const struct kft_why_segment *segment);
void kft_why_tile_as(struct kft_why_finder *f, const struct kft_why_stretch *s,
		     enum kft_why_cause cause, int32_t pid, uint32_t cpu);

/* In what a task is; *what as of struct kft_why_segment. */
enum kft_why_mode kft_why_mode_at(const struct kft_why_finder *f, int32_t pid,
				  uint64_t ts, uint64_t *what);

/* How to go on with the time of a CPU that no interrupt took and no silence. */
typedef void kft_why_rest_fn(struct kft_why_finder *f, const struct kft_why_stretch *s,
			     uint32_t cpu, const struct kft_why_segment *like);
kft_why_rest_fn kft_why_rest_as; /* it is of the cause that `like` has */

/* A CPU's time, cut into interrupts, silence, losses, and the rest of what `like` is. */
void kft_why_cut_cpu(struct kft_why_finder *f, struct kft_why_stretch s,
		     uint32_t cpu_number, const struct kft_why_segment *like,
		     kft_why_rest_fn *rest);

void kft_why_find_running(struct kft_why_finder *f, int32_t pid, struct kft_why_stretch s,
			  uint32_t cpu);

/* What a CPU did while something on it was late. */
void kft_why_find_cpu(struct kft_why_finder *f, uint32_t number,
		      struct kft_why_stretch s);

/* The same where a timer was to expire at the beginning, and did at the end. */
void kft_why_find_late(struct kft_why_finder *f, uint32_t number,
		       struct kft_why_stretch s);

/* A task could run, or was blocked, and s is of this state. */
void kft_why_find_ready(struct kft_why_finder *f, const struct kft_why_task *task,
			const struct kft_interval *state, struct kft_why_stretch s);
void kft_why_find_blocked(struct kft_why_finder *f, const struct kft_why_task *task,
			  const struct kft_interval *state, struct kft_why_stretch s);

/* What a task did that made another one go on at ts, which waited for all of s. */
void kft_why_follow(struct kft_why_finder *f, struct kft_why_stretch s, int32_t pid,
		    uint64_t ts, bool by_packet);

/* What a task did. */
void kft_why_find_path(struct kft_why_finder *f, int32_t pid, struct kft_why_stretch s);

#endif
