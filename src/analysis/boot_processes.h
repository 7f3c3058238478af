/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_BOOT_PROCESSES_H
#define KFT_ANALYSIS_BOOT_PROCESSES_H

#include "base/map.h"
#include "base/vec.h"
#include "model/event.h"
#include "model/interval.h"
#include "model/stream.h"
#include "model/trace.h"

/* Processes as they start in a boot, and when each was on a CPU. */
#define KFT_BOOT_BINS 250 /* equal parts of the time */

struct kft_boot_bins {
	uint64_t begin_ns; /* of the time, on the clock of the buffer */
	uint64_t length_ns; /* of a part */
};

/* Adds an interval that begins in the time to the parts that it is in. */
void kft_boot_bins_add(const struct kft_boot_bins *b, const struct kft_interval *i,
		       uint64_t bins[KFT_BOOT_BINS]);

struct kft_boot_process {
	int32_t pid;
	int32_t parent; /* -1: it began before the trace, or the trace does not say */
	uint64_t begin_ns; /* of its fork, or when first seen */
	uint64_t exec_ns; /* of the last program that it became; 0: none */
	uint64_t end_ns;
	uint64_t cpu_ns; /* in all */
	uint64_t bins[KFT_BOOT_BINS]; /* of that, in each part of the time */
};

enum { KFT_BOOT_LIFE_EVENTS = 3 };

struct kft_boot_processes {
	KFT_VEC(struct kft_boot_process) list;
	struct kft_boot_bins bins;
	uint64_t end_ns; /* of the time */
	bool swap;
	struct kft_map by_pid; /* -> index + 1, of the process that has the pid now */
	struct {
		uint16_t id; /* 0: the trace has none */
		const struct kft_field *pid; /* borrowed */
		const struct kft_field *parent;
	} events[KFT_BOOT_LIFE_EVENTS];
};

void kft_boot_processes_finish(struct kft_boot_processes *p);

/* wanted gets the events that it is to be fed, in the order of time, with the intervals. */
void kft_boot_processes_init(struct kft_boot_processes *p, struct kft_trace *t,
			     const struct kft_boot_bins *bins, uint64_t end_ns,
			     uint64_t *wanted);

/* Any event. -ENOMEM; -E2BIG: these are more processes than anybody looks at. */
int kft_boot_processes_event(struct kft_boot_processes *p,
			     const struct kft_event *ev) __must_check;

/* A task was on a CPU. The same errors. */
int kft_boot_processes_ran(struct kft_boot_processes *p,
			   const struct kft_interval *i) __must_check;

/* In the order of their starts; nothing is fed any more. */
void kft_boot_processes_sort(struct kft_boot_processes *p);

#endif
