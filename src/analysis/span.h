/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_SPAN_H
#define KFT_ANALYSIS_SPAN_H

#include "model/trace.h"

/*
 * Time stamps of the first and the last event of those buffers whose clock has the unit of
 * the trace's. Reads as little as the streams allow: to the end of each from the place
 * that they jump to. Returns false when there are no events. Nothing else may read the
 * trace meanwhile.
 */
bool kft_span_first(struct kft_trace *t, uint64_t *ret);
bool kft_span_last(struct kft_trace *t, uint64_t *ret);

#endif
