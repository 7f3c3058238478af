/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>
#include <linux/perf_event.h>

#include "base/vec.h"
#include "capture/host.h"
#include "capture/notify.h"
#include "plan/samples.h"

/* A perf event of the kernel: it counts on one CPU, everything or one task. */
struct kft_perf_counter {
	uint32_t cpu;
	int fd; /* owned */
};

/*
 * The perf events of a session. The kernel maps the buffer of an event of each CPU, which has no
 * samples of its own and lives as long as this thread; all other events of the CPU write to it.
 */
struct kft_perf_counters {
	const struct kft_host *host; /* borrowed */
	const struct kft_notify *notify; /* borrowed */
	const struct kft_sample_event *event; /* static: the event that is sampled */
	struct perf_event_attr attr; /* of the samples */
	KFT_VEC(struct kft_perf_counter) buffers; /* one for each CPU, in their order */
	KFT_VEC(struct kft_perf_counter) counters;
	uint32_t cpu_count; /* the largest number of a CPU that may exist, and one */
};

/*
 * Chooses the event of a plan and opens the events with buffers, which the caller maps. Leaves out
 * the kernel's part where the user is not allowed to see it, with a note. The caller closes c in
 * any case. -EACCES and -EPERM with the remedy, -ENOENT and -EOPNOTSUPP for an event that this
 * machine cannot count.
 */
int kft_perf_counters_open(struct kft_perf_counters *c, const struct kft_plan *plan,
			   struct kft_err *e) __must_check;

/*
 * Opens the events that take the samples, disabled; they write to the buffers, which have to be
 * mapped. -ESRCH for a process that does not exist, -EACCES and -EPERM as above.
 */
int kft_perf_counters_add(struct kft_perf_counters *c, const struct kft_plan *plan,
			  struct kft_err *e) __must_check;
void kft_perf_counters_close(struct kft_perf_counters *c);

/* Starts or stops all events. -errno of the first failure. */
int kft_perf_counters_enable(struct kft_perf_counters *c, bool enable) __must_check;

/* The number of records of a CPU that the kernel dropped; 0 before Linux 6.0. */
uint64_t kft_perf_counters_lost(const struct kft_perf_counters *c, uint32_t cpu);
