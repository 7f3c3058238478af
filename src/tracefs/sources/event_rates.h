/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_EVENT_RATES_H
#define KFT_TRACEFS_EVENT_RATES_H

#include "capture/host.h"

struct kft_event_rate {
	const char *event; /* borrowed: "system:event" */
	const char *filter; /* borrowed: only those that pass it; NULL: all */
	uint64_t per_s; /* filled in, of all CPUs together */
};

/*
 * Counts how often events come, one after another and each for so long, in an instance of its own:
 * perf's counters need other rights, and count nanoseconds of sched_stat_runtime and its like. An
 * event that is not there any more has a rate of 0.
 */
int kft_event_rates_count(struct kft_host *host, struct kft_event_rate *rates, size_t n,
			  uint64_t each_ns, struct kft_err *e) __must_check;

#endif
