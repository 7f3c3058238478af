/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_WATCH_MATCH_H
#define KFT_WATCH_MATCH_H

#include <kft/plan.h>

#include "model/trace.h"
#include "watch/condition.h"

/* Finds conditions in the events of a trace as they happen. */
struct kft_match;

/* A condition that came. */
struct kft_seen {
	size_t condition; /* index */
	uint64_t ts; /* when, on the trace's clock */
	const char *why; /* for people; borrowed */
};

/* 0 or -errno, which ends it. */
typedef int kft_match_fn(void *arg, const struct kft_seen *seen);

struct kft_conditions {
	const struct kft_condition *data; /* borrowed while in use */
	size_t len;
	bool in_kernel; /* it looks itself for those that it can find (watch/in_kernel.h) */
};

/*
 * Adds the events that conditions need to a plan. -EINVAL for a kind of interval that is none,
 * or that cannot be waited for.
 */
int kft_match_plan(const struct kft_conditions *conditions, struct kft_plan *p,
		   struct kft_err *e) __must_check;

/* Of a trace that such a plan records; since_ns: when it began, on its clock. */
int kft_match_create(const struct kft_conditions *conditions, struct kft_trace *t,
		     uint64_t since_ns, kft_match_fn *fn, void *arg,
		     struct kft_match **ret, struct kft_err *e) __must_check;
struct kft_match *kft_match_destroy(struct kft_match *m);

/*
 * The next event, in the order of time. What the calling process does is passed over, and,
 * where a condition executes commands, what they do.
 */
int kft_match_feed(struct kft_match *m, const struct kft_event *ev) __must_check;

/* What time brings: now_ns on the trace's clock, with all events before it fed. */
int kft_match_time(struct kft_match *m, uint64_t now_ns) __must_check;

/* When kft_match_time() is to be called next; UINT64_MAX: never. */
uint64_t kft_match_due_ns(const struct kft_match *m);

#endif
