/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "model/event.h"
#include "model/trace.h"
#include "view/series.h"

/* The number of tasks that wait for each CPU: woken or preempted, and not running. */
#define KFT_VIEW_RUNQUEUE_EVENTS 5
#define KFT_VIEW_RUNQUEUE_FIELDS 3

struct kft_view_runqueue {
	struct {
		uint16_t id; /* 0: not in the trace */
		const struct kft_field *fields[KFT_VIEW_RUNQUEUE_FIELDS]; /* borrowed */
	} events[KFT_VIEW_RUNQUEUE_EVENTS];
	bool swap;
	uint32_t counter; /* number of the series' counter */
	struct kft_map places; /* maps a pid to the task's state */
	KFT_VEC(int64_t) waiting; /* by CPU */
};

void kft_view_runqueue_finish(struct kft_view_runqueue *q);

/* False: the trace lacks the events. Marks the events in wanted. */
bool kft_view_runqueue_init(struct kft_view_runqueue *q, struct kft_trace *t,
			    uint32_t counter, uint64_t *wanted);

int kft_view_runqueue_feed(struct kft_view_runqueue *q, const struct kft_event *ev,
			   struct kft_view_series *s) __must_check;
