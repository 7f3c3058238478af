/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_BUDGET_H
#define KFT_SESSION_RUN_BUDGET_H

#include "session/run/run.h"
#include "tracefs/sources/event_rates.h"
#include "tracefs/sources/events.h"

/*
 * What a recording may take of a CPU, in millionths of one (max_cost_ppm of its options). Its cost
 * is the rate of its events times what recording one takes on this machine. While that is more
 * than the budget, the events that come most often are switched off, and stay off: the file
 * KFT_BUDGET_LEFT_OUT of the session's directory names them, one "EVENT RATE" a line, and marks
 * in the trace do.
 */
#define KFT_BUDGET_LEFT_OUT "left-out"

/* What was recorded at the last look. {}: there was none. */
struct kft_budget_look {
	uint64_t events;
	uint64_t at_ns;
};

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

/*
 * When a recording starts: counts each of its events, for a fiftieth of a second each, and leaves out
 * what is too much already.
 */
int kft_budget_begin(const struct kft_run *r, struct kft_err *e) __must_check;

/* The same again if more was recorded since the last look than may be. */
int kft_budget_tend(const struct kft_run *r, struct kft_budget_look *last,
		    struct kft_err *e) __must_check;

/* Events that somebody switches on again are not left out any more. */
int kft_budget_forget(const struct kft_run *r, const struct kft_event_choices *c,
		      struct kft_err *e) __must_check;

/* Each event that is left out, and its rate a second when it was. */
typedef void kft_left_out_fn(void *arg, const char *event, uint64_t rate);
void kft_budget_each_left_out(const struct kft_run *r, kft_left_out_fn *each, void *arg);

/* Marks in the trace say again what is left out: older ones may be overwritten by now. */
void kft_budget_mark(const struct kft_run *r);

#endif
