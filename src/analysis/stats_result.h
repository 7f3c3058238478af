/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_STATS_RESULT_H
#define KFT_ANALYSIS_STATS_RESULT_H

#include "analysis/stats.h"
#include "model/result.h"

/*
 * Statistics as values and tables that any output shows, with names of events and tasks
 * (of those tasks that the trace's task table knows: fill it before). Fills an empty ret;
 * running out of memory is in kft_result_ok(). docs/formats/json.md has the keys.
 */
void kft_stats_result(struct kft_trace *t, const struct kft_stats *stats,
		      struct kft_result *ret);

#endif
