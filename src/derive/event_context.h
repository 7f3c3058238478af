/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/depth.h"
#include "derive/engine/engine.h"

/*
 * The context of an event, from the events before it: the intervals that it ends, the
 * depth of its CPU in interrupts, timers, work and calls, and the system call of its
 * task.
 */
#define KFT_MOMENT_ENDS 4 /* further intervals are left out; a task switch ends three */

struct kft_event_context {
	/* Only complete ones: the beginning was recorded, and nothing was lost since. */
	struct kft_interval ends[KFT_MOMENT_ENDS];
	size_t n_ends;
	uint32_t depth; /* outside the interval that the event begins or ends */
	int64_t call; /* number of the system call; KFT_NO_CALL: none is known */
};

struct kft_event_contexts;

/* The trace must outlive *ret. -ENOMEM. */
int kft_event_contexts_create(struct kft_trace *t,
			      struct kft_event_contexts **ret) __must_check;
struct kft_event_contexts *kft_event_contexts_destroy(struct kft_event_contexts *m);
KFT_DEFINE_CLEANUP(struct kft_event_contexts *, kft_event_contexts_destroy)

/* Marks the ids of the events that are needed in wanted (65536 bits). */
void kft_event_contexts_needs(struct kft_trace *t, uint64_t *wanted);

/* Takes events in the order of time; *ret is borrowed until the next call. -ENOMEM. */
int kft_event_contexts_next(struct kft_event_contexts *m, const struct kft_event *ev,
			    const struct kft_event_context **ret) __must_check;

/* The interval of a kind that ends at m; NULL: there is none. m may be NULL. */
const struct kft_interval *kft_event_context_end(const struct kft_event_context *m,
						 const struct kft_interval_kind *kind);
