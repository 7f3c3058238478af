/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/strbuf.h"
#include "model/event.h"
#include "model/trace.h"
#include "view/series.h"

/*
 * Selects the values that a page shows as curves: fields of events that the user
 * requested ("EVENT/FIELD by FIELD"), a few standard ones, and the number of
 * tasks that wait for each CPU.
 */
struct kft_view_counter {
	const char *label; /* borrowed, like the names: from texts, or static */
	uint16_t id; /* id of the event; 0: the value is in no event */
	const struct kft_field *value; /* borrowed, like the others */
	unsigned int n_by;
	const char *by_names[KFT_VIEW_SERIES_BY];
	const struct kft_field *by[KFT_VIEW_SERIES_BY]; /* NULL: the event's CPU */
};

/* A change of the number of tasks that wait for a CPU. */
struct kft_view_queue_change {
	uint64_t ts;
	uint32_t cpu;
	int by;
};

struct kft_view_counters {
	const struct kft_trace *trace; /* borrowed */
	KFT_VEC(struct kft_view_counter) list;
	KFT_VEC(char *) texts; /* owned: storage of labels and names */
	uint64_t wanted[KFT_ID_WORDS];
	uint32_t waiting; /* number of the counter of waiting tasks + 1; 0: it has none */
	KFT_VEC(int64_t) n_waiting; /* by CPU */
	KFT_VEC(struct kft_view_queue_change) changes; /* by the next event that is fed */
	struct kft_view_series series; /* the caller sets take and arg */
};

void kft_view_counters_finish(struct kft_view_counters *c);

/*
 * Adds a requested counter. -EINVAL: the text is malformed; -ENOENT: the trace lacks the
 * event or the numeric field; -ENOMEM.
 */
int kft_view_counters_ask(struct kft_view_counters *c, struct kft_trace *t,
			  const char *text, struct kft_err *e) __must_check;

/* Adds the standard counters that the trace has. -ENOMEM. */
int kft_view_counters_usual(struct kft_view_counters *c,
			    struct kft_trace *t) __must_check;

/* Notes a change by an event that is fed afterwards. -ENOMEM. */
int kft_view_counters_queue(struct kft_view_counters *c, uint64_t ts, uint32_t cpu,
			    int by) __must_check;

int kft_view_counters_feed(struct kft_view_counters *c,
			   const struct kft_event *ev) __must_check;

/* Appends a name like "power:cpu_frequency/state cpu_id 2". */
void kft_view_counters_name(const struct kft_view_counters *c, uint32_t series,
			    struct kft_strbuf *ret);
