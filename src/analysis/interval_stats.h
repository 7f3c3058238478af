/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_INTERVAL_STATS_H
#define KFT_ANALYSIS_INTERVAL_STATS_H

#include "analysis/analysis.h"
#include "base/map.h"
#include "derive/engine.h"
#include "model/result.h"

#define KFT_INTERVAL_KINDS_MAX 64

/* How often there were intervals of some kinds, and how long they took, by their keys. */
struct kft_interval_stat {
	const struct kft_interval_kind *kind; /* static */
	uint64_t key;
	uint64_t count;
	uint64_t
		cut; /* of these, at the trace's beginning or end: their times do not count */
	uint64_t total_ns;
	uint64_t min_ns;
	uint64_t max_ns;
	struct kft_interval longest;
};

struct kft_interval_stats {
	KFT_VEC(struct kft_interval_stat) list; /* by kind, then by total time */
};

/* opts->scope and threads count; the kinds are at most KFT_INTERVAL_KINDS_MAX. */
int kft_interval_stats_run(struct kft_trace *t,
			   const struct kft_interval_kind *const *kinds, size_t n_kinds,
			   const struct kft_analysis_opts *opts,
			   struct kft_interval_stats *ret,
			   struct kft_err *e) __must_check;
void kft_interval_stats_finish(struct kft_interval_stats *s);

void kft_interval_stats_result(struct kft_trace *t, const struct kft_interval_stats *s,
			       struct kft_result *r);

#endif
