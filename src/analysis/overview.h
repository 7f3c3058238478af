/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The first look at a trace: how busy each CPU was, and what took longest for once. */
#ifndef KFT_ANALYSIS_OVERVIEW_H
#define KFT_ANALYSIS_OVERVIEW_H

#include "analysis/interval_stats.h"
#include "analysis/stats.h"
#include "model/result.h"

/*
 * Those kinds of the n given that the trace has events of, into ret, which has room for n.
 * stats has the trace's events.
 */
size_t kft_overview_kinds(struct kft_trace *t, const struct kft_stats *stats,
			  const struct kft_interval_kind *const *kinds, size_t n,
			  const struct kft_interval_kind **ret);

/*
 * Tables "cpus", "worst" and "next" (commands, for which file is the trace's name) from
 * statistics by key.
 */
void kft_overview_result(struct kft_trace *t, const struct kft_interval_stats *s,
			 const char *file, struct kft_result *r);

#endif
