/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_STATS_PLOT_H
#define KFT_CLI_STATS_PLOT_H

#include "analysis/interval_stats.h"
#include "cli/verb.h"

/*
 * Draws what a question finds: as text for the terminal, or with output into that file as a
 * picture. The names of the trace have been loaded. -errno.
 */
int cli_stats_plot(struct cli *c, const char *path, struct kft_trace *t,
		   const struct kft_interval_question *q, const struct kft_scope *scope,
		   const char *output) __must_check;

#endif
