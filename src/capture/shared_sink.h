/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_SHARED_SINK_H
#define KFT_CAPTURE_SHARED_SINK_H

#include "capture/share.h"

/*
 * One trace of several backends. Each has a sink of its own: the lead's is the trace's main
 * buffer, that of another one a further buffer with the backend's name, page size and CPUs.
 * The trace is begun when the lead begins, with the event formats of all, and ended by
 * kft_shared_sink_end() when all have ended, with their statistics too.
 *
 * Backends that do not lead begin before the lead and ask for files of CPUs only after it. The
 * metadata of begin and end stays valid until the backend is closed.
 */
struct kft_shared_sink;

struct kft_shared_part {
	struct kft_sink sink; /* for the backend */
	struct kft_shared_sink *shared;
	const char *name; /* static; of the buffer */
	struct kft_sink *buffer; /* borrowed from the trace; NULL before it is begun */
	const struct kft_meta *begun; /* borrowed from the backend, as is ended */
	const struct kft_meta *ended;
};

struct kft_shared_sink {
	struct kft_sink *trace; /* borrowed */
	struct kft_shared_part parts[KFT_BACKENDS_MAX]; /* the last one is the lead's */
	size_t n;
};

/* -EOPNOTSUPP for a trace that has room for one buffer only. */
int kft_shared_sink_init(struct kft_shared_sink *s, struct kft_sink *trace,
			 const struct kft_shares *shares, struct kft_err *e) __must_check;

int kft_shared_sink_end(struct kft_shared_sink *s, struct kft_err *e) __must_check;

#endif
