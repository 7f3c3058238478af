/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SETS_RESOLVE_H
#define KFT_SETS_RESOLVE_H

#include <kft/plan.h>

#include "sets/kernel.h"
#include "sets/sets.h"

/*
 * What the points of sets are on a kernel: an event where there is one, else a kprobe, else
 * a traced function. Sets that others include are resolved with them.
 */
enum kft_found {
	KFT_FOUND_NOTHING,
	KFT_FOUND_EVENT,
	KFT_FOUND_KPROBE,
	KFT_FOUND_FUNCTION,
};

struct kft_found_point {
	const char *set; /* borrowed from the sets, as the others */
	const char *wanted; /* as the set has it: the symbol, or what was tried first */
	enum kft_found found;
	const char *what; /* the event, kprobe or function; of nothing the reason */
	bool callstack;
};

typedef KFT_VEC(struct kft_found_point) kft_found_points;

/*
 * Appends what a set resolves to; texts that are made are in the sets' arena. -ELOOP for
 * sets that include each other; -ENOENT for an included one that is not there.
 */
int kft_sets_resolve(struct kft_sets *sets, const struct kft_set *set,
		     const struct kft_set_kernel *k, kft_found_points *ret,
		     struct kft_err *e) __must_check;

/*
 * Adds the points to a plan. The filters of one event are joined, so that each point has
 * its records; an event without one is recorded whole. -ENOENT when there is nothing.
 */
int kft_sets_plan(const kft_found_points *points, struct kft_plan *p,
		  struct kft_err *e) __must_check;

const char *kft_found_name(enum kft_found found);

#endif
