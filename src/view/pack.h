/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"
#include "model/chart.h"
#include "view/counters.h"
#include "view/keys.h"
#include "view/tracks.h"
#include "view/pyramid.h"

/*
 * Collects the contents of a page in one pass over the trace: intervals of every kind of
 * the engine, and all other events as points.
 */

/* Kinds of the page that the engine does not have; their numbers follow the engine's. */
enum kft_view_kind {
	KFT_VIEW_ON_CPU, /* tasks by CPU; the key is the pid */
	KFT_VIEW_EVENT, /* a point; the key is the id of its class */
	KFT_VIEW_LOST, /* lost events; the value is their number, if known */
	KFT_VIEW_COUNTER, /* the value between two events */
	KFT_VIEW_CHART, /* bars of a chart */
	KFT_VIEW_KINDS,
};

/* Limit for the number of the engine's kinds. */
#define KFT_VIEW_ENGINE_KINDS 128

struct kft_view_cpu {
	bool any; /* an event was seen */
	uint64_t last_ns; /* time of its last event */
};

struct kft_view_pack {
	struct kft_trace *trace; /* borrowed */
	const struct kft_chart *chart; /* borrowed; NULL: no chart */
	bool all_texts; /* keep the texts of all points */
	struct kft_view_chunks chunks;
	struct kft_view_pyramid pyramid;
	struct kft_view_tracks tracks;
	struct kft_view_keys keys;
	struct kft_view_counters
		counters; /* the requested ones, then the standard ones */
	uint16_t n_kinds; /* number of the engine's kinds that are shown */
	const struct kft_interval_kind *kinds[KFT_VIEW_ENGINE_KINDS];
	/* owners of their items' tracks */
	enum kft_view_owner owners[KFT_VIEW_ENGINE_KINDS];
	KFT_VEC(struct kft_view_cpu) cpus; /* by number */
	KFT_VEC(uint32_t) roots; /* chunks that are the root of a pyramid */
	/* time of the buffer's clock at which the page's times start */
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t events;
	uint64_t lost; /* lost events, as far as their number is known */
	uint64_t gaps; /* number of places with lost events */
	uint64_t dropped; /* items that did not fit into a track */
	uint64_t texts; /* points with their fields as text ... */
	uint64_t no_texts; /* ... and points without, because of their number */
	uint64_t
		/* events of buffers with another clock, which are left out */
		other_clocks;
	uint64_t text_bytes;
};

void kft_view_pack_finish(struct kft_view_pack *p);

/*
 * Reads the trace. The caller zeroes p, but for counters, chart and all_texts, and
 * finishes it also after an error. The errors of kft_spool_create(); -ENODATA: the
 * trace has no events; -ENOMEM.
 */
int kft_view_pack_run(struct kft_trace *t, struct kft_view_pack *p,
		      struct kft_err *e) __must_check;

/* The name of a bar of the chart, by its key. */
const char *kft_view_chart_name(const struct kft_view_pack *p, uint64_t key);
