/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/analysis.h"
#include "analysis/stats/histogram.h"
#include "analysis/stats/interval_where.h"
#include "base/map.h"
#include "derive/engine/engine.h"

#define KFT_INTERVAL_KINDS_MAX 128

/* How the intervals of a kind are grouped: a row for each combination of the values given. */
enum kft_interval_by {
	KFT_INTERVAL_BY_KEY = 1,
	KFT_INTERVAL_BY_CPU = 2,
	KFT_INTERVAL_BY_TASK = 4,
	KFT_INTERVAL_BY_COMM = 8, /* tasks by their names */
};

/* Indexes into kft_percentiles, which has the percentiles in thousandths. */
enum kft_percentile { KFT_P50, KFT_P90, KFT_P99, KFT_P999, KFT_PERCENTILES };
extern const unsigned int kft_percentiles[KFT_PERCENTILES];

/* A question. With nothing but the kinds set, it covers all of their intervals, by key. */
struct kft_interval_question {
	const struct kft_interval_kind *const *kinds; /* borrowed, like where */
	size_t n_kinds; /* at most KFT_INTERVAL_KINDS_MAX */
	unsigned int by; /* enum kft_interval_by; 0: by key */
	const struct kft_interval_where *where; /* NULL: all */
	/* Exact percentiles: costs a second pass, and memory for the values near them. */
	bool is_exact;
};

/* A sum of squares of ns, in 128 bits. */
struct kft_square_sum {
	uint64_t high;
	uint64_t low;
};

/*
 * The identity of a row. Members that the question does not group by are the same in all
 * rows: key and comm are 0, cpu and pid are -1. Kinds with is_of_cpu are always grouped by CPU.
 */
struct kft_interval_row {
	const struct kft_interval_kind *kind; /* borrowed */
	uint64_t key;
	int64_t cpu;
	int64_t pid;
	uint64_t comm; /* number in the trace's names */
};

/* The statistics of one row. */
struct kft_interval_stat {
	struct kft_interval_row row;

	uint64_t count; /* complete intervals: with both ends and without losses */
	uint64_t total_ns; /* of complete intervals, like all members up to percentiles */
	uint64_t min_ns;
	uint64_t max_ns;
	struct kft_square_sum squares;
	struct kft_interval longest; /* the first one; kind NULL when count is 0 */
	struct kft_histogram histogram;
	uint64_t percentiles[KFT_PERCENTILES];

	uint64_t cut; /* intervals with the begin or the end outside the trace */
	uint64_t lossy; /* intervals with both ends, in which events were lost */
	uint64_t apart_ns; /* total time of cut and lossy intervals */
};

struct kft_interval_stats {
	KFT_VEC(struct kft_interval_stat) list; /* by kind, then by total time */
	bool has_span;
	uint64_t first_ns; /* of the part of the trace that was analysed */
	uint64_t last_ns;
	bool is_partial; /* and whole_from: as in struct kft_coverage */
	uint64_t whole_from;
};

/*
 * Uses the scope and threads of opts. CPUs are analysed in parallel only if all kinds of the
 * question are per CPU. ret is freed by kft_interval_stats_finish(). Errors as
 * kft_analysis_run().
 */
int kft_interval_stats_run(struct kft_trace *t, const struct kft_interval_question *q,
			   const struct kft_analysis_opts *opts,
			   struct kft_interval_stats *ret,
			   struct kft_err *e) __must_check;

/* Estimates the percentiles of all rows by their histograms, for rows that another one filled. */
void kft_interval_stats_estimate(struct kft_interval_stats *s);

void kft_interval_stats_finish(struct kft_interval_stats *s);

/* In ns, over the complete intervals of a row; 0 without any. The deviation divides by n. */
uint64_t kft_interval_stat_average(const struct kft_interval_stat *s);
uint64_t kft_interval_stat_deviation(const struct kft_interval_stat *s);
