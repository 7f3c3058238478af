/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A first overview of a trace: the load of each CPU, and the worst latencies. */
#pragma once

#include "analysis/stats/interval_stats.h"
#include "analysis/stats/stats.h"
#include "model/result.h"

/*
 * Stores the kinds for which the trace has events in ret, which has room for n. Returns their
 * number. stats includes KFT_STATS_EVENTS.
 */
size_t kft_overview_kinds(struct kft_trace *t, const struct kft_stats *stats,
			  const struct kft_interval_kind *const *kinds, size_t n,
			  const struct kft_interval_kind **ret);

/*
 * Adds the tables "cpus", "worst" and "next" (suggested commands) to r. s holds statistics by
 * key; file is the trace's name in the commands.
 */
void kft_overview_result(struct kft_trace *t, const struct kft_interval_stats *s,
			 const char *file, struct kft_result *r);
