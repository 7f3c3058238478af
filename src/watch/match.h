/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "model/trace.h"
#include "watch/condition.h"

/* Finds conditions in the events of a trace as they happen. */
struct kft_match;

/* A condition that was met. */
struct kft_seen {
	size_t condition; /* index */
	uint64_t ts; /* ns on the trace's clock */
	const char *why; /* description for people; borrowed */
};

/* 0 or -errno, which ends the matching. */
typedef int kft_match_fn(void *arg, const struct kft_seen *seen);

/*
 * Adds the events that conditions need to a plan. -EINVAL for an unknown kind of
 * interval, or one that cannot be watched for.
 */
int kft_match_plan(const struct kft_conditions *conditions, struct kft_plan *p,
		   struct kft_err *e) __must_check;

/* t was recorded with a plan of kft_match_plan(). since_ns: the recording's start, on its clock. */
int kft_match_create(const struct kft_conditions *conditions, struct kft_trace *t,
		     uint64_t since_ns, kft_match_fn *fn, void *arg,
		     struct kft_match **ret, struct kft_err *e) __must_check;
struct kft_match *kft_match_destroy(struct kft_match *m);

/*
 * Handles the next event, in the order of time. Events of the calling process are
 * ignored, as are those of its commands if a condition executes any.
 */
int kft_match_feed(struct kft_match *m, const struct kft_event *ev) __must_check;

/*
 * Reports conditions that are met by passing time: now_ns is on the trace's clock, and all
 * events before it were fed.
 */
int kft_match_time(struct kft_match *m, uint64_t now_ns) __must_check;

/* The time of the next call of kft_match_time(); UINT64_MAX: never. */
uint64_t kft_match_due_ns(const struct kft_match *m);
