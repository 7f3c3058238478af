/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/vec.h"
#include "file/tracedat/write/write.h"
#include "model/trace.h"

/*
 * The ring-buffer pages of a trace.dat that was opened for reading, finished or not, as
 * buffers for a writer. Uncompressed ranges of the file are passed on as they are;
 * compressed or truncated ones go through memory page by page: a partial page is
 * repaired, a malformed chunk is left out and counted.
 */
struct kft_trace_pages {
	KFT_VEC(struct kft_tracedat_buffer) buffers; /* the main one first */
	struct kft_page_walk **walks; /* owned; one for each source */
	size_t n_walks;
	struct kft_page_source *sources; /* owned; the buffers point into it */
};

/* t comes from kft_tracedat_open() and outlives pp. -ENOMEM. */
int kft_trace_pages_init(struct kft_trace_pages *pp, struct kft_trace *t) __must_check;
void kft_trace_pages_finish(struct kft_trace_pages *pp);

/* Number of places that could not be read, valid after all pages were read. */
uint64_t kft_trace_pages_damage(const struct kft_trace_pages *pp);
