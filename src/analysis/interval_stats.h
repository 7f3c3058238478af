/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_INTERVAL_STATS_H
#define KFT_ANALYSIS_INTERVAL_STATS_H

#include "analysis/analysis.h"
#include "analysis/histogram.h"
#include "analysis/interval_where.h"
#include "base/map.h"
#include "derive/engine.h"

#define KFT_INTERVAL_KINDS_MAX 128

/* What has a row of its own: each kind, and of it each ... */
enum kft_interval_by {
	KFT_INTERVAL_BY_KEY = 1,
	KFT_INTERVAL_BY_CPU = 2,
	KFT_INTERVAL_BY_TASK = 4,
	KFT_INTERVAL_BY_COMM = 8, /* tasks by their names */
};

/* In thousandths: median and beyond. */
enum kft_percentile { KFT_P50, KFT_P90, KFT_P99, KFT_P999, KFT_PERCENTILES };
extern const unsigned int kft_percentiles[KFT_PERCENTILES];

/* What is asked for. Zeroed but for the kinds is everything, by key. */
struct kft_interval_question {
	const struct kft_interval_kind *const *kinds; /* borrowed, as the rest */
	size_t n_kinds; /* at most KFT_INTERVAL_KINDS_MAX */
	unsigned int by; /* enum kft_interval_by; 0: by key */
	const struct kft_interval_where *where; /* NULL: all */
	bool is_exact; /* percentiles: in a second pass, with memory for what it needs */
};

/* Sum of squares of ns: 128 bits. */
struct kft_square_sum {
	uint64_t high;
	uint64_t low;
};

/* What makes a row different from others. What is not asked to be told apart is 0 or -1. */
struct kft_interval_row {
	const struct kft_interval_kind *kind; /* borrowed */
	uint64_t key;
	int64_t cpu;
	int64_t pid;
	uint64_t comm; /* number in the trace's names */
};

/* How often, and how long. */
struct kft_interval_stat {
	struct kft_interval_row row;

	uint64_t count; /* with a beginning, an end, and nothing lost in between */
	uint64_t total_ns; /* of these, as all that follows but the last three */
	uint64_t min_ns;
	uint64_t max_ns;
	struct kft_square_sum squares;
	struct kft_interval longest; /* the first one; kind NULL when count is 0 */
	struct kft_histogram histogram;
	uint64_t percentiles[KFT_PERCENTILES];

	uint64_t cut; /* without a beginning or an end in the trace */
	uint64_t lossy; /* others, with losses */
	uint64_t apart_ns; /* the time of cut and lossy ones */
};

struct kft_interval_stats {
	KFT_VEC(struct kft_interval_stat) list; /* by kind, then by total time */
	bool has_span;
	uint64_t first_ns; /* of the trace, as far as it was looked at */
	uint64_t last_ns;
	bool is_partial; /* and whole_from: as in struct kft_coverage */
	uint64_t whole_from;
};

/*
 * opts->scope and threads count. Kinds that are per CPU are fed by several threads when no
 * others are asked for. ret is freed by kft_interval_stats_finish().
 */
int kft_interval_stats_run(struct kft_trace *t, const struct kft_interval_question *q,
			   const struct kft_analysis_opts *opts,
			   struct kft_interval_stats *ret,
			   struct kft_err *e) __must_check;
void kft_interval_stats_finish(struct kft_interval_stats *s);

/* Of a row with intervals. */
uint64_t kft_interval_stat_average(const struct kft_interval_stat *s);
uint64_t kft_interval_stat_deviation(const struct kft_interval_stat *s);

#endif
