/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "analysis/stats/interval_stats.h"
#include "cli/verb.h"

/*
 * Plots a question's intervals: as text on the terminal, or as a picture in the file
 * output. The names of the trace must be loaded before. -errno.
 */
int cli_stats_plot(struct cli *c, const char *path, struct kft_trace *t,
		   const struct kft_interval_question *q, const struct kft_scope *scope,
		   const char *output) __must_check;
