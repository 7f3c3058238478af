/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_SELECT_H
#define KFT_ANALYSIS_SELECT_H

#include "model/trace.h"

/* One bit for each event id: what kft_scope.wanted points to. */
#define KFT_ID_WORDS (65536 / 64)

/*
 * Marks in wanted (KFT_ID_WORDS words) the events of a trace that a pattern means:
 * "system:event" with globs (* ? []) in both parts, or one word for a system or an event.
 * Adds to what is marked already. -ENOENT when the trace describes no such event, with
 * the nearest names as hint.
 */
int kft_select_events(struct kft_trace *t, const char *pattern, uint64_t *wanted,
		      struct kft_err *e) __must_check;

#endif
