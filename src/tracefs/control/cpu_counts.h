/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/counts.h"
#include "model/meta.h"

/* Counters that a kernel does not have are 0. -EINVAL for a text without any of them. */
int kft_cpu_counts_parse(const char *text, struct kft_cpu_counts *ret) __must_check;

/* Adds up the counters of all CPUs of an instance, like kft_cpu_counts_add(). */
int kft_cpu_counts_sum(int instance_fd, struct kft_cpu_counts *ret) __must_check;

/*
 * True when a later reading shows that the buffer was emptied in between (by a write to
 * its trace file): all counters begin anew, and the events in the buffer are gone.
 */
bool kft_cpu_counts_restarted(const struct kft_cpu_counts *before,
			      const struct kft_cpu_counts *now);

/*
 * Turns counters that grew into spans of time in which events are missing.
 *
 * Only dropped events and commit overruns become ranges. Overruns (overwrite mode) are in
 * the pages themselves: the kernel marks the first page after the gap, with the number if
 * the page has room for it, so a range would report the same loss twice.
 *
 * Events dropped between two readings were dropped after the clock of the first reading,
 * because `dropped` is read after the clock, and before the clock of a third, later
 * reading. Commit overruns are read before the clock: their lower bound is the clock of
 * the reading before the first one.
 */
struct kft_loss_watch {
	struct kft_cpu_counts base; /* counters of the last reading */
	uint64_t before_base; /* the clock of the reading before it */
};

void kft_loss_watch_init(struct kft_loss_watch *w, const struct kft_cpu_counts *now);

/* True when events were lost since the last reading. */
bool kft_loss_watch_grew(const struct kft_loss_watch *w,
			 const struct kft_cpu_counts *now);

/*
 * Returns the range of the events lost between the last reading and now; later is one
 * more reading, made after now. The watch continues from now. The count is
 * KFT_LOST_UNKNOWN when the counters went back: the buffer was emptied, or a 32-bit
 * kernel's counter wrapped.
 */
struct kft_lost_range kft_loss_watch_take(struct kft_loss_watch *w, uint32_t cpu,
					  const struct kft_cpu_counts *now,
					  const struct kft_cpu_counts *later);

/* Nothing was lost: the watch goes on from now. */
void kft_loss_watch_advance(struct kft_loss_watch *w, const struct kft_cpu_counts *now);
