/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_PLOT_H
#define KFT_ANALYSIS_PLOT_H

#include "analysis/interval_stats.h"
#include "model/plot.h"

/*
 * A plot (owned, NULL where there are no intervals) for each kind of a question, of whole
 * intervals in which no events are missing. The names of tasks have been loaded. scope:
 * NULL is everything. -ENOMEM.
 */
int kft_plots_run(struct kft_trace *t, const struct kft_interval_question *q,
		  const struct kft_scope *scope,
		  struct kft_plot *ret[KFT_INTERVAL_KINDS_MAX]) __must_check;

#endif
