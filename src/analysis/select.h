/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/event_filter.h"
#include "model/trace.h"

/*
 * Sets in wanted (KFT_ID_WORDS words) the events of a trace that any of n patterns selects. A
 * pattern is "system:event" with globs (* ? []) in both parts, or one word for a system or an
 * event. A "/filter/" after it (model/event_filter.h) is compiled and added to filters. A
 * pattern may be a list separated by commas; its filter applies to the last item.
 * "!system:event" excludes events; if all patterns exclude, the other events are selected.
 * -EINVAL for a malformed pattern. -ENOENT when the trace describes no such event, with the
 * nearest names as hint, or when no event has the filter's fields. The trace must outlive the
 * filters.
 */
int kft_select_events(struct kft_trace *t, const char *const *patterns, size_t n,
		      uint64_t *wanted, struct kft_filters *filters,
		      struct kft_err *e) __must_check;

/*
 * Sets all events in wanted except those that kft itself made to start and stop a session
 * (kft_XXXXXXXX:start, :stop). Returns false if the trace has none of them.
 */
bool kft_select_users(struct kft_trace *t, uint64_t *wanted);
