/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_PACK_H
#define KFT_VIEW_PACK_H

#include "derive/engine.h"
#include "model/chart.h"
#include "view/counters.h"
#include "view/keys.h"
#include "view/lanes.h"
#include "view/pyramid.h"

/*
 * All that a page shows of a trace, from one pass over its events: intervals of every
 * kind of the engine, and what no kind takes as points.
 */

/* Kinds of the page that the engine does not have, numbered behind those that it has. */
enum kft_view_kind {
	KFT_VIEW_ON_CPU, /* tasks, by CPU; the key is the pid */
	KFT_VIEW_EVENT, /* a point; the key is the id of its class */
	KFT_VIEW_LOST, /* events are missing; the value is how many, if that is known */
	KFT_VIEW_COUNTER, /* the value from one event to the next */
	KFT_VIEW_CHART, /* bars of a chart */
	KFT_VIEW_KINDS,
};

/* Kinds of the engine that a page has room for. */
#define KFT_VIEW_ENGINE_KINDS 128

struct kft_view_cpu {
	bool any; /* event was seen */
	uint64_t last_ns; /* its last one */
};

struct kft_view_pack {
	struct kft_trace *trace; /* borrowed */
	const struct kft_chart *chart; /* borrowed; NULL: none */
	bool all_texts; /* of points, however many */
	struct kft_view_chunks chunks;
	struct kft_view_pyramid pyramid;
	struct kft_view_lanes lanes;
	struct kft_view_keys keys;
	struct kft_view_counters
		counters; /* those that were asked for, then the usual ones */
	uint16_t n_kinds; /* of the engine, that are shown */
	const struct kft_interval_kind *kinds[KFT_VIEW_ENGINE_KINDS];
	enum kft_view_owner owners[KFT_VIEW_ENGINE_KINDS]; /* of their items */
	KFT_VEC(struct kft_view_cpu) cpus; /* by number */
	KFT_VEC(uint32_t) roots; /* chunks, the root of each pyramid */
	uint64_t start_ns; /* on the clock of the buffer: times of items count from it */
	uint64_t end_ns;
	uint64_t events;
	uint64_t lost; /* events, as far as their number is known */
	uint64_t gaps; /* places where events are missing */
	uint64_t dropped; /* items that no lane has room for */
	uint64_t texts; /* points with their fields as text ... */
	uint64_t no_texts; /* ... and without, as there are too many of them */
	uint64_t
		other_clocks; /* events of buffers with another clock, which are left out */
	uint64_t text_bytes;
};

void kft_view_pack_finish(struct kft_view_pack *p);

/*
 * Errors as kft_spool_create(); -ENODATA: the trace has no events; -ENOMEM. p is zeroed
 * before, but for counters, the chart and all_texts; what could be had is in it after an error, to be finished.
 */
int kft_view_pack_run(struct kft_trace *t, struct kft_view_pack *p,
		      struct kft_err *e) __must_check;

#endif
