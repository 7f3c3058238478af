/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/stats/interval_stats.h"
#include "model/result.h"

/* The sort order of rows within their kind: names ascending, all other values descending. */
enum kft_interval_sort {
	KFT_SORT_TOTAL,
	KFT_SORT_COUNT,
	KFT_SORT_MIN,
	KFT_SORT_AVG,
	KFT_SORT_MAX,
	KFT_SORT_SD,
	KFT_SORT_P50,
	KFT_SORT_P90,
	KFT_SORT_P99,
	KFT_SORT_P999,
	KFT_SORT_NAME,
};
extern const char *const kft_interval_sorts[]; /* their names, ends with NULL */

struct kft_interval_view {
	unsigned int by; /* same value as in the question */
	enum kft_interval_sort sort;
	size_t top; /* rows of each kind; 0: all */
	bool histograms;
};

/* Adds statistics to a result. Returns the number of rows that top leaves out. */
size_t kft_interval_stats_result(struct kft_trace *t, const struct kft_interval_stats *s,
				 const struct kft_interval_view *view,
				 struct kft_result *r);

/* The name of a row: its key as text. */
struct kft_value kft_interval_row_name(struct kft_trace *t, struct kft_result *r,
				       const struct kft_interval_stat *s);
