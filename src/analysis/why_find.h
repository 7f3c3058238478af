/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_WHY_FIND_H
#define KFT_ANALYSIS_WHY_FIND_H

#include "analysis/analysis.h"
#include "derive/engine.h"

#define KFT_WHY_KINDS_MAX 8

/* Which intervals are meant. */
struct kft_why_ask {
	const struct kft_interval_kind *kinds[KFT_WHY_KINDS_MAX];
	size_t n_kinds; /* 0: any that can be a surprise */
	const char *key; /* as people know it, or its number; NULL: any */
	const char *task; /* name or pid; NULL: any */
	uint64_t above_ns; /* only those that took longer */
	uint64_t at; /* only those that this moment is in; 0: any */
	size_t keep; /* so many of the longest */
};

struct kft_why_found {
	KFT_VEC(struct kft_interval) worst; /* the longest first */
	/* Of the kind and key that the last of the worst has: */
	uint64_t count; /* of those that were meant and are whole */
	uint64_t median_ns;
	KFT_VEC(struct kft_interval) usual; /* some of the middle fifth */
};

/* Adds the kinds of a name: one kind, or a group. False when there is none. */
bool kft_why_ask_kinds(struct kft_why_ask *ask, const char *name);

/*
 * Intervals that have both ends and no loss in between. Where ask names no kind, those of the
 * kind and key are taken whose longest is furthest from their usual one. 0 also when nothing
 * is found.
 */
int kft_why_find(struct kft_trace *t, const struct kft_why_ask *ask,
		 struct kft_why_found *ret, struct kft_err *e) __must_check;
void kft_why_found_finish(struct kft_why_found *f);

/* Whether an interval's time is that of a task, else of a CPU or a device. */
bool kft_why_is_of_task(const struct kft_interval *i);

#endif
