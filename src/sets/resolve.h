/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "sets/kernel.h"
#include "sets/sets.h"

/*
 * Resolves the points of sets on a kernel: to an event if possible, else to a kprobe,
 * else to a traced function. Included sets are resolved too.
 */
enum kft_found {
	KFT_FOUND_NOTHING,
	KFT_FOUND_EVENT,
	KFT_FOUND_KPROBE,
	KFT_FOUND_FUNCTION,
};

struct kft_found_point {
	const char *set; /* borrowed from the sets, like the other strings */
	/* as written in the set: the symbol, or the first alternative */
	const char *wanted;
	enum kft_found found;
	/* the event, kprobe or function; for KFT_FOUND_NOTHING the reason */
	const char *what;
	bool callstack;
};

typedef KFT_VEC(struct kft_found_point) kft_found_points;

/*
 * Appends the resolved points of a set; new texts are in the sets' arena. -ELOOP for sets
 * that include each other; -ENOENT for an included set that does not exist.
 */
int kft_sets_resolve(struct kft_sets *sets, const struct kft_set *set,
		     const struct kft_set_kernel *k, kft_found_points *ret,
		     struct kft_err *e) __must_check;

/*
 * Adds the points to a plan. The filters of one event are joined, so that each
 * point has its records; an event that has a point without a filter is recorded
 * whole. -ENOENT without any points.
 */
int kft_sets_plan(const kft_found_points *points, struct kft_plan *p,
		  struct kft_err *e) __must_check;

const char *kft_found_name(enum kft_found found);
