/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_MERGE_H
#define KFT_MODEL_MERGE_H

#include "model/trace.h"

/*
 * All events of a trace, or of some of its CPUs, in one order: by time stamp; at equal
 * times by buffer, then CPU, then their order in the stream. The cost per event does not
 * grow with the number of CPUs but with its logarithm.
 */
struct kft_merge;

struct kft_merge_opts {
	const uint64_t *cpus; /* bit per CPU, borrowed; NULL: all */
	uint32_t n_cpus; /* bits in cpus */
	const uint64_t *wanted; /* as kft_stream.wanted; borrowed */
	uint64_t since; /* first and last time stamp; until 0: no end */
	uint64_t until;
};

/* The trace outlives the merge; only one merge reads a trace at a time. -ENOMEM. */
int kft_merge_create(struct kft_trace *t, const struct kft_merge_opts *opts,
		     struct kft_merge **ret) __must_check;
struct kft_merge *kft_merge_destroy(struct kft_merge *m);
KFT_DEFINE_CLEANUP(struct kft_merge *, kft_merge_destroy)

/*
 * The next event, borrowed until the next call: 1, 0 at the end, -errno. A stream that
 * fails ends there and the others go on; its error is in its damage.
 */
int kft_merge_next(struct kft_merge *m, const struct kft_event **ret);

#endif
