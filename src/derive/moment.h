/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_MOMENT_H
#define KFT_DERIVE_MOMENT_H

#include "derive/depth.h"
#include "derive/engine.h"

/*
 * What the events before one say of it: the intervals that it ends, how deep its CPU is in
 * interrupts, timers, work and calls, and which system call its task is in.
 */
#define KFT_MOMENT_ENDS 4 /* more are left out; a switch of tasks ends three */

struct kft_moment {
	/* Only whole ones: seen from their beginning, and nothing was lost in between. */
	struct kft_interval ends[KFT_MOMENT_ENDS];
	size_t n_ends;
	uint32_t depth; /* of an event that begins something without that */
	int64_t call; /* its number; KFT_NO_CALL: none is known */
};

struct kft_moments;

/* The trace outlives it. -ENOMEM. */
int kft_moments_create(struct kft_trace *t, struct kft_moments **ret) __must_check;
struct kft_moments *kft_moments_destroy(struct kft_moments *m);
KFT_DEFINE_CLEANUP(struct kft_moments *, kft_moments_destroy)

/* Marks the ids of events that it has to see (65536 bits). */
void kft_moments_needs(struct kft_trace *t, uint64_t *wanted);

/* Events in the order of time; *ret is borrowed until the next one. -ENOMEM. */
int kft_moments_next(struct kft_moments *m, const struct kft_event *ev,
		     const struct kft_moment **ret) __must_check;

/* The interval of a kind that the moment ends; NULL: there is none. m may be NULL. */
const struct kft_interval *kft_moment_end(const struct kft_moment *m,
					  const struct kft_interval_kind *kind);

#endif
