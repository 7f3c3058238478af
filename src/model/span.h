/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/scope.h"
#include "model/trace.h"

/*
 * Time stamps of the first and the last event in the buffers with a clock that
 * has the same unit as the trace's clock. Reads as little as the streams allow: for the last
 * event, only from the latest place that they can seek to. False when there are no events.
 * No other thread may read the trace meanwhile.
 */
bool kft_span_first(struct kft_trace *t, uint64_t *ret);
bool kft_span_last(struct kft_trace *t, uint64_t *ret);
/*
 * The time stamp of a stream's first event, and how many events were lost before it; the
 * latter leaves the stream at its beginning.
 */
bool kft_span_stream_first(struct kft_stream *s, uint64_t *ret);
uint64_t kft_span_stream_lost_before(struct kft_stream *s);

/*
 * The span of the trace, limited by the times of a scope (NULL: none). Intervals are cut
 * to it, independent of their kind and of the events that were read for them.
 */
bool kft_span_of(struct kft_trace *t, const struct kft_scope *scope, uint64_t *ret_first,
		 uint64_t *ret_last);
