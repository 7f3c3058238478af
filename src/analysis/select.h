/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_SELECT_H
#define KFT_ANALYSIS_SELECT_H

#include "model/event_filter.h"
#include "model/trace.h"

/*
 * Sets in wanted (KFT_ID_WORDS words) the events of a trace that any of n patterns selects:
 * "system:event" with globs (* ? []) in both parts, or one word for a system or an event;
 * with "/filter/" after it only those that match (model/event_filter.h), which goes to filters.
 * A pattern may be a list with commas; the filter is the last one's. "!system:event" excludes
 * events, of all events if nothing else is selected.
 * -ENOENT when the trace describes no such event, with the nearest names as hint, or when none of
 * the events has the filter's fields. The trace outlives the filters.
 */
int kft_select_events(struct kft_trace *t, const char *const *patterns, size_t n,
		      uint64_t *wanted, struct kft_filters *filters,
		      struct kft_err *e) __must_check;

/*
 * Marks all events but those that kft itself made to start and stop a session
 * (kft_XXXXXXXX:start, :stop). False: the trace has none of these.
 */
bool kft_select_users(struct kft_trace *t, uint64_t *wanted);

#endif
