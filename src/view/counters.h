/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_COUNTERS_H
#define KFT_VIEW_COUNTERS_H

#include <kft/error.h>

#include "base/strbuf.h"
#include "model/event.h"
#include "model/trace.h"
#include "view/runqueue.h"
#include "view/series.h"

/*
 * Which values of a trace are curves: the fields of events that somebody asked for
 * ("EVENT/FIELD by FIELD"), those that everybody wants, and how many tasks wait for a CPU.
 */
struct kft_view_counter {
	const char *label; /* borrowed, as the names: of texts, or static */
	uint16_t id; /* of the event; 0: no event has the value */
	const struct kft_field *value; /* borrowed, as the others */
	unsigned int n_by;
	const char *by_names[KFT_VIEW_SERIES_BY];
	const struct kft_field *by[KFT_VIEW_SERIES_BY]; /* NULL: the CPU of the event */
};

struct kft_view_counters {
	const struct kft_trace *trace; /* borrowed */
	KFT_VEC(struct kft_view_counter) list;
	KFT_VEC(char *) texts; /* owned: what labels and names point into */
	uint64_t wanted[KFT_ID_WORDS];
	struct kft_view_runqueue runqueue;
	bool has_runqueue;
	struct kft_view_series series; /* its take and arg are the user's */
};

void kft_view_counters_finish(struct kft_view_counters *c);

/*
 * A counter that somebody asked for. -EINVAL: it is none; -ENOENT: the trace has no such
 * event or number; -ENOMEM.
 */
int kft_view_counters_ask(struct kft_view_counters *c, struct kft_trace *t,
			  const char *text, struct kft_err *e) __must_check;

/* Those of the trace that are always shown. -ENOMEM. */
int kft_view_counters_usual(struct kft_view_counters *c,
			    struct kft_trace *t) __must_check;

int kft_view_counters_feed(struct kft_view_counters *c,
			   const struct kft_event *ev) __must_check;

/* "power:cpu_frequency/state cpu_id 2" */
void kft_view_counters_name(const struct kft_view_counters *c, uint32_t series,
			    struct kft_strbuf *ret);

#endif
