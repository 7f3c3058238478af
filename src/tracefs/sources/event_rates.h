/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"

struct kft_event_rate {
	const char *event; /* borrowed: "system:event" */
	/* borrowed: only events that pass it are counted; NULL: all */
	const char *filter;
	uint64_t per_s; /* filled in: events a second on all CPUs together */
};

/*
 * Measures the rates of events, one after another and each for each_ns, in an instance of
 * its own: perf's counters need other privileges, and count nanoseconds for
 * sched_stat_runtime and the like. An event that no longer exists has a rate of 0.
 */
int kft_event_rates_count(struct kft_host *host, struct kft_event_rate *rates, size_t n,
			  uint64_t each_ns, struct kft_err *e) __must_check;
