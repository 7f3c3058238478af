/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_RUN_BUDGET_H
#define KFT_CAPTURE_RUN_BUDGET_H

#include "capture/tracefs/event_rates.h"

/*
 * What a recording may take of a CPU, in millionths of one. Its cost is the rate of its events times
 * what recording one takes on this machine. While that is more than the budget, the events that
 * come most often are left out.
 */
static inline uint64_t kft_budget_cost_ppm(uint64_t rate, uint64_t event_ns)
{
	return rate * event_ns / 1000;
}

/*
 * Sorts the rates, the highest first. Returns how many of the first have to be left out so that
 * the rest is within max_ppm.
 */
size_t kft_budget_choose(struct kft_event_rate *rates, size_t n, uint64_t event_ns,
			 uint64_t max_ppm);

#endif
