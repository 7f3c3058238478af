/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/share.h"

/*
 * Writes the events of several backends to one trace. Each backend has a sink of its own. The
 * lead's sink writes to the trace's main buffer; every other sink writes to another buffer with
 * the backend's name, page size and CPUs. The trace is begun when the lead begins, with the
 * event formats of all backends. kft_shared_sink_end() ends it after all backends have ended,
 * with the statistics of all.
 *
 * The other backends must begin before the lead, and request the files of CPUs after it has
 * begun. The metadata passed to begin and end must stay valid until the backend is closed.
 */
struct kft_shared_sink;

struct kft_shared_part {
	struct kft_sink sink; /* used by the backend */
	struct kft_shared_sink *shared;
	const char *name; /* name of the buffer; static */
	struct kft_sink *buffer; /* borrowed from the trace; NULL before it is begun */
	const struct kft_meta *begun; /* borrowed from the backend; NULL before begin */
	const struct kft_meta *ended; /* borrowed from the backend; NULL before end */
};

struct kft_shared_sink {
	struct kft_sink *trace; /* borrowed */
	struct kft_shared_part parts[KFT_BACKENDS_MAX]; /* the last one is the lead's */
	size_t n;
};

/*
 * trace is borrowed; names are those of the n backends, and static. -EOPNOTSUPP if the trace can
 * have one buffer only.
 */
int kft_shared_sink_init(struct kft_shared_sink *s, struct kft_sink *trace,
			 const char *const *names, size_t n,
			 struct kft_err *e) __must_check;

/* The sink of backend i: its part of s, or the trace if it is the only backend. */
static inline struct kft_sink *
kft_shared_sink_of(struct kft_shared_sink *s, struct kft_sink *trace, size_t n, size_t i)
{
	return kft_backends_share(n) ? &s->parts[i].sink : trace;
}

int kft_shared_sink_end(struct kft_shared_sink *s, struct kft_err *e) __must_check;
