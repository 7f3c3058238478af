/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/stats/interval_stats.h"
#include "model/plot.h"

/*
 * Makes a plot for each kind of a question, in ret at the index of the kind: owned, NULL
 * without intervals. Incomplete intervals and intervals with losses are left out. The trace's
 * task names must be loaded before. scope NULL: the whole trace. -ENOMEM.
 */
int kft_plots_run(struct kft_trace *t, const struct kft_interval_question *q,
		  const struct kft_scope *scope,
		  struct kft_plot *ret[KFT_INTERVAL_KINDS_MAX]) __must_check;
