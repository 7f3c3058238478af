/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/strbuf.h"
#include "model/chart.h"
#include "model/trace.h"
#include "view/thin.h"

/* Writes a trace as one self-contained HTML file (docs/formats/page.md). */
struct kft_view_opts {
	const char *name; /* name of the trace, for people; borrowed */
	uint64_t max_bytes; /* size above which the page loses detail; 0: no limit */
	const struct kft_view_range
		*exact; /* ranges that keep all detail whatever max_bytes; borrowed */
	size_t n_exact;
	const char *const *counters; /* "EVENT/FIELD by FIELD", borrowed */
	size_t n_counters;
	bool all_texts; /* keep the fields of all points; without it, a limited number */
	const struct kft_chart *chart; /* rows above the others; borrowed; NULL: none */
};

struct kft_view_done {
	uint64_t events;
	uint64_t bytes; /* size of the page */
	uint64_t chunks; /* number of chunks */
	uint64_t left_out; /* number of chunks left out because of max_bytes */
};

/*
 * Collects the contents of the page in ret, which is empty but for chunks.fd = -1.
 * The errors of kft_view_write().
 */
int kft_view_collect(struct kft_trace *t, const struct kft_view_opts *opts,
		     struct kft_view_pack *ret, struct kft_err *e) __must_check;

/*
 * Appends the page without its chunks: it requests c0, c1 and so on
 * from its server. -ENOMEM.
 */
int kft_view_frame(const struct kft_view_pack *p, const char *name,
		   struct kft_strbuf *ret) __must_check;

/*
 * Writes the page to fd. -ENODATA: the trace has no events; -EINVAL: a malformed
 * counter, -ENOENT: a counter that the trace lacks; -ENOMEM, and the errors of
 * temporary files and of writing.
 */
int kft_view_write(struct kft_trace *t, const struct kft_view_opts *opts, int fd,
		   struct kft_view_done *ret, struct kft_err *e) __must_check;
