/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_PAGE_H
#define KFT_VIEW_PAGE_H

#include <kft/error.h>

#include "base/strbuf.h"
#include "model/chart.h"
#include "model/trace.h"

/* Times on the trace's clock, both within. */
struct kft_view_range {
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* A trace as one HTML file that needs nothing else (docs/formats/page.md). */
struct kft_view_opts {
	const char *name; /* of the trace, as people know it; borrowed */
	uint64_t
		max_bytes; /* of the page, above which it shows less detail; 0: no limit */
	const struct kft_view_range
		*exact; /* keep all detail whatever max_bytes; borrowed */
	size_t n_exact;
	const char *const *counters; /* "EVENT/FIELD by FIELD", borrowed */
	size_t n_counters;
	bool all_texts; /* fields of all points; without, of so many that a page can bear */
	const struct kft_chart *chart; /* rows above the others; borrowed; NULL: none */
};

struct kft_view_done {
	uint64_t events;
	uint64_t bytes; /* of the page */
	uint64_t chunks; /* of detail */
	uint64_t left_out; /* of these, because of max_bytes */
};

struct kft_view_pack;

/*
 * All that a page of the trace has, into ret, which is empty but for chunks.fd = -1. Errors
 * as kft_view_write().
 */
int kft_view_collect(struct kft_trace *t, const struct kft_view_opts *opts,
		     struct kft_view_pack *ret, struct kft_err *e) __must_check;

/*
 * The page without its chunks, appended: it asks the server that it came from for c0, c1 and
 * so on beside it. -ENOMEM.
 */
int kft_view_frame(const struct kft_view_pack *p, const char *name,
		   struct kft_strbuf *ret) __must_check;

/*
 * Writes to fd. -ENODATA: the trace has no events; -EINVAL: there is no such counter,
 * -ENOENT: not in this trace; -ENOMEM, and what temporary files and
 * writing fail with.
 */
int kft_view_write(struct kft_trace *t, const struct kft_view_opts *opts, int fd,
		   struct kft_view_done *ret, struct kft_err *e) __must_check;

#endif
