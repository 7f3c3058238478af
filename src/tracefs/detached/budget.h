/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "tracefs/detached/part.h"
#include "tracefs/sources/event_rates.h"
#include "tracefs/sources/events.h"

/*
 * Limits the cost of a recording to a budget in millionths of a CPU's time (max_cost_ppm
 * of its options). The cost is the rate of its events times the time to record one event
 * on this machine. While the cost exceeds the budget, the most frequent events are
 * switched off, and stay off: the file KFT_BUDGET_LEFT_OUT of the session's directory
 * lists them, one "EVENT RATE" a line, and so do markers in the trace.
 */
#define KFT_BUDGET_LEFT_OUT "left-out"

static inline uint64_t kft_budget_cost_ppm(uint64_t rate, uint64_t event_ns)
{
	return rate * event_ns / 1000;
}

/*
 * Sorts the rates, the highest first. Returns how many of the first must be left out to
 * bring the cost of the rest within max_ppm.
 */
size_t kft_budget_choose(struct kft_event_rate *rates, size_t n, uint64_t event_ns,
			 uint64_t max_ppm);

/*
 * When a recording starts: counts each of its events for 20 ms, and leaves out the most
 * frequent ones until the rest is within the budget.
 */
int kft_budget_begin(const struct kft_tracefs_part *r, struct kft_err *e) __must_check;

/* Does the same again if the cost since the last check exceeds the budget. */
int kft_budget_tend(const struct kft_tracefs_part *r, struct kft_part_rate *last,
		    struct kft_err *e) __must_check;

/* Takes events off the list when they are switched on again. */
int kft_budget_forget(const struct kft_tracefs_part *r, const struct kft_event_choices *c,
		      struct kft_err *e) __must_check;

/* Gets an event that is left out, and its rate per second when it was switched off. */
typedef void kft_left_out_fn(void *arg, const char *event, uint64_t rate);
void kft_budget_each_left_out(const struct kft_run *r, kft_left_out_fn *each, void *arg);

/* Writes the markers of left-out events again: older ones may be overwritten by now. */
void kft_budget_mark(const struct kft_tracefs_part *r);
