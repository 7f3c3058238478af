/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "model/event.h"
#include "model/interval.h"
#include "model/stream.h"
#include "model/trace.h"

/* The processes that start in a boot, and the times at which each was on a CPU. */
#define KFT_BOOT_BINS 250 /* number of equal parts of the boot's time */

struct kft_boot_bins {
	uint64_t begin_ns; /* of the first bin, on the clock of the buffer */
	uint64_t length_ns; /* of each bin */
};

/* Adds the duration of an interval to the bins it overlaps. It begins at begin_ns or later. */
void kft_boot_bins_add(const struct kft_boot_bins *b, const struct kft_interval *i,
		       uint64_t bins[KFT_BOOT_BINS]);

struct kft_boot_process {
	int32_t pid;
	int32_t parent; /* -1: unknown, because the trace has no fork event of it */
	uint64_t begin_ns; /* time of its fork, or of its first event */
	uint64_t exec_ns; /* time of its last exec; 0: none */
	uint64_t end_ns;
	uint64_t cpu_ns; /* total time on CPUs */
	uint64_t bins[KFT_BOOT_BINS]; /* time on CPUs in each bin, in ns */
};

enum { KFT_BOOT_LIFE_EVENTS = 3 };

struct kft_boot_processes {
	KFT_VEC(struct kft_boot_process) list;
	struct kft_boot_bins bins;
	uint64_t end_ns; /* end of the boot's trace */
	bool swap;
	struct kft_map by_pid; /* -> index + 1 of the process that has the pid now */
	struct {
		uint16_t id; /* 0: the trace has no such event */
		const struct kft_field *pid; /* borrowed */
		const struct kft_field *parent;
	} events[KFT_BOOT_LIFE_EVENTS];
};

void kft_boot_processes_finish(struct kft_boot_processes *p);

/*
 * Sets the ids of the events to feed in wanted. Events and intervals must be fed in time order.
 * bins is copied.
 */
void kft_boot_processes_init(struct kft_boot_processes *p, struct kft_trace *t,
			     const struct kft_boot_bins *bins, uint64_t end_ns,
			     uint64_t *wanted);

/* Feeds an event; other types are ignored. -ENOMEM; -E2BIG: too many processes for a chart. */
int kft_boot_processes_event(struct kft_boot_processes *p,
			     const struct kft_event *ev) __must_check;

/* Feeds an interval in which a task was on a CPU. Errors as above. */
int kft_boot_processes_ran(struct kft_boot_processes *p,
			   const struct kft_interval *i) __must_check;

/* Sorts the processes by their starts. Nothing may be fed afterwards. */
void kft_boot_processes_sort(struct kft_boot_processes *p);
