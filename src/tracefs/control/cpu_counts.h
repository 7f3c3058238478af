/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_CPU_COUNTS_H
#define KFT_TRACEFS_CPU_COUNTS_H

#include "model/meta.h"

/*
 * per_cpu/cpuN/stats: what the kernel counts of one CPU's buffer.
 *
 * The kernel reads them one after another while the CPU goes on: entries, overrun, commit
 * overrun, bytes, then the clock, then dropped and read events (trace.c,
 * tracing_stats_read()). That order decides which times bound a loss, see struct
 * kft_loss_watch.
 */
struct kft_cpu_counts {
	uint64_t entries; /* in the buffer, not read yet */
	uint64_t overrun; /* overwritten before they were read */
	uint64_t commit_overrun; /* not written: an interrupt nested too deep */
	uint64_t bytes; /* in the buffer */
	uint64_t dropped; /* not written: the buffer was full */
	uint64_t read; /* read so far, whole pages counted when they are taken */
	uint64_t oldest; /* when the first event in the buffer was, cut as now; 0: none */
	uint64_t now; /* the buffer's clock */
	uint64_t now_max; /* ... and what it may have been: "now ts" is cut to µs */
};

/* Counters that a kernel does not have are 0. -EINVAL for a text without any of them. */
int kft_cpu_counts_parse(const char *text, struct kft_cpu_counts *ret) __must_check;

/* Counters of one more buffer; oldest and now are those of any. */
void kft_cpu_counts_add(struct kft_cpu_counts *sum, const struct kft_cpu_counts *one);

/* The counters of all CPUs of an instance together; oldest and now are those of any. */
int kft_cpu_counts_sum(int instance_fd, struct kft_cpu_counts *ret) __must_check;

/*
 * True when the counters of a later reading say that the buffer was emptied in between (a
 * write to its trace file): all of them begin anew, and what was in it is gone.
 */
bool kft_cpu_counts_restarted(const struct kft_cpu_counts *before,
			      const struct kft_cpu_counts *now);

static inline uint64_t kft_cpu_counts_lost(const struct kft_cpu_counts *c)
{
	return c->overrun + c->commit_overrun + c->dropped;
}

/*
 * Turns counters that grew into spans of time in which events are missing.
 *
 * Only dropped events and commit overruns become ranges. Overruns (overwrite mode) are in
 * the pages themselves: the kernel marks the first page after the gap, with the number
 * where the page has room for it, so a range would tell the same twice.
 *
 * What is dropped between two readings happened after the clock of the first one, since
 * dropped is read behind the clock, and before the clock of a third, later one. Commit
 * overruns are read before the clock: for them the clock of the reading before the first
 * is the lower bound.
 */
struct kft_loss_watch {
	struct kft_cpu_counts base; /* of the last reading */
	uint64_t before_base; /* the clock of the one before */
};

void kft_loss_watch_init(struct kft_loss_watch *w, const struct kft_cpu_counts *now);

/* True when events were lost since the last reading. */
bool kft_loss_watch_grew(const struct kft_loss_watch *w,
			 const struct kft_cpu_counts *now);

/*
 * The range of what was lost from the last reading to now; later is one more reading made
 * after now. The watch goes on from now. How many is not known when the counters went
 * back: somebody emptied the buffer, or a 32-bit kernel's came round.
 */
struct kft_lost_range kft_loss_watch_take(struct kft_loss_watch *w, uint32_t cpu,
					  const struct kft_cpu_counts *now,
					  const struct kft_cpu_counts *later);

/* Nothing was lost: the watch goes on from now. */
void kft_loss_watch_advance(struct kft_loss_watch *w, const struct kft_cpu_counts *now);

#endif
