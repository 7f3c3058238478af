/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/why/path.h"

/*
 * The state of a search for the causes of an interval. The functions below tile a stretch
 * of time with segments completely, even if the trace is damaged. They are recursive: the
 * cause of a task's wait is the activity of its waker at that time.
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
	bool is_due; /* a timer is late in this time: any gap is silence */
	int depth;
};

/* A stretch of time that is being explained. */
struct kft_why_stretch {
	uint64_t begin;
	uint64_t end;
	uint32_t link;
};

/* Cuts the part before `until` off a stretch: all of it if `until` is not inside. */
struct kft_why_stretch kft_why_stretch_take(struct kft_why_stretch *s, uint64_t until);

/*
 * Segments of the path. kft_why_segment_of() makes one for a whole stretch, which callers
 * may change. kft_why_tile() adds one; kft_why_tile_as() does both.
 */
struct kft_why_segment kft_why_segment_of(const struct kft_why_stretch *s,
					  enum kft_why_cause cause, int32_t pid,
					  uint32_t cpu);
void kft_why_tile(struct kft_why_finder *f, const struct kft_why_segment *segment);
void kft_why_tile_as(struct kft_why_finder *f, const struct kft_why_stretch *s,
		     enum kft_why_cause cause, int32_t pid, uint32_t cpu);

/* The context of a task at ts; *what is as in struct kft_why_segment. */
enum kft_why_mode kft_why_mode_at(const struct kft_why_finder *f, int32_t pid,
				  uint64_t ts, uint64_t *what);

/* Tiles time of a CPU that has no interrupts, silence or losses. */
typedef void kft_why_rest_fn(struct kft_why_finder *f, const struct kft_why_stretch *s,
			     uint32_t cpu, const struct kft_why_segment *like);
kft_why_rest_fn kft_why_rest_as; /* uses the cause of `like` */

/*
 * Tiles the time of a CPU with interrupts, silence and losses, and calls rest() for the
 * remainder, for which `like` is the template.
 */
void kft_why_cut_cpu(struct kft_why_finder *f, struct kft_why_stretch s,
		     uint32_t cpu_number, const struct kft_why_segment *like,
		     kft_why_rest_fn *rest);

void kft_why_find_running(struct kft_why_finder *f, int32_t pid, struct kft_why_stretch s,
			  uint32_t cpu);

/* Tiles the time of a CPU with its interrupts, silence, losses and tasks. */
void kft_why_find_cpu(struct kft_why_finder *f, uint32_t number,
		      struct kft_why_stretch s);

/* Tiles the time from the due time of a timer to its expiry in the same way. */
void kft_why_find_late(struct kft_why_finder *f, uint32_t number,
		       struct kft_why_stretch s);

/* Tile s, a part of a state in which the task was runnable, or waited for something. */
void kft_why_find_ready(struct kft_why_finder *f, const struct kft_why_task *task,
			const struct kft_interval *state, struct kft_why_stretch s);
void kft_why_find_blocked(struct kft_why_finder *f, const struct kft_why_task *task,
			  const struct kft_interval *state, struct kft_why_stretch s);

/*
 * Tiles the wait s with the activity of its waker, and adds the waker to the blocking
 * chain. pid is the waker, ts the time of the wake-up; by_packet: over the loopback
 * device.
 */
void kft_why_follow(struct kft_why_finder *f, struct kft_why_stretch s, int32_t pid,
		    uint64_t ts, bool by_packet);

/* Tiles the time of a task by its states. */
void kft_why_find_path(struct kft_why_finder *f, int32_t pid, struct kft_why_stretch s);
