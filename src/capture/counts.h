/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

#include "base/macro.h"

/*
 * The kernel's counters of one CPU's buffer, from per_cpu/cpuN/stats of tracefs.
 *
 * The kernel reads them one after another while the CPU goes on recording: entries,
 * overrun, commit overrun, bytes, then the clock, then dropped and read events (trace.c,
 * tracing_stats_read()). That order decides which times bound a loss, see struct
 * kft_loss_watch.
 */
struct kft_cpu_counts {
	uint64_t entries; /* in the buffer, not read yet */
	uint64_t overrun; /* overwritten before they were read */
	uint64_t commit_overrun; /* not written: an interrupt nested too deep */
	uint64_t bytes; /* in the buffer */
	uint64_t dropped; /* not written: the buffer was full */
	uint64_t read; /* read so far; a page counts as a whole when it is taken */
	/* lower bound of the time of the oldest event in the buffer; 0: none */
	uint64_t oldest;
	uint64_t now; /* lower bound of the buffer's clock, which is rounded to µs */
	uint64_t now_max; /* upper bound of the buffer's clock */
};

/* Adds the counters of another buffer; oldest becomes the lowest of all, now the highest. */
void kft_cpu_counts_add(struct kft_cpu_counts *sum, const struct kft_cpu_counts *one);

static inline uint64_t kft_cpu_counts_lost(const struct kft_cpu_counts *c)
{
	return c->overrun + c->commit_overrun + c->dropped;
}
