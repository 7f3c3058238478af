/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_SELECT_H
#define KFT_ANALYSIS_SELECT_H

#include "model/event_filter.h"
#include "model/trace.h"

/*
 * Marks in wanted (KFT_ID_WORDS words) the events of a trace that a pattern means:
 * "system:event" with globs (* ? []) in both parts, or one word for a system or an event;
 * with "/filter/" behind it only those that match (model/event_filter.h), which goes to filters.
 * Several have commas between them; the filter is the last one's. Adds to what is marked already.
 * -ENOENT when the trace describes no such event, with the nearest names as hint, or when none of
 * the events has the filter's fields. The trace outlives the filters.
 */
int kft_select_events(struct kft_trace *t, const char *pattern, uint64_t *wanted,
		      struct kft_filters *filters, struct kft_err *e) __must_check;

/*
 * Marks all events but those that kft itself made to start and stop a session
 * (kft_XXXXXXXX:start, :stop). False: the trace has none of these.
 */
bool kft_select_users(struct kft_trace *t, uint64_t *wanted);

#endif
