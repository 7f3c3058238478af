/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_SPAN_H
#define KFT_MODEL_SPAN_H

#include "model/scope.h"
#include "model/trace.h"

/*
 * Time stamps of the first and the last event of those buffers whose clock has the unit of
 * the trace's. Reads as little as the streams allow: to the end of each from the place
 * that they jump to. Returns false when there are no events. Nothing else may read the
 * trace meanwhile.
 */
bool kft_span_first(struct kft_trace *t, uint64_t *ret);
bool kft_span_last(struct kft_trace *t, uint64_t *ret);
/* The first event of one stream. */
bool kft_span_stream_first(struct kft_stream *s, uint64_t *ret);

/*
 * What a scope (NULL: all) leaves of that by its times: what intervals are cut to, whatever
 * their kind and whichever events were read for them.
 */
bool kft_span_of(struct kft_trace *t, const struct kft_scope *scope, uint64_t *ret_first,
		 uint64_t *ret_last);

#endif
