/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/stats/stats.h"
#include "model/result.h"

/*
 * Converts statistics to values and tables, with names of events and tasks. Tasks get names
 * only from the trace's task table, so fill it before. ret must be empty; kft_result_ok()
 * reports running out of memory. docs/formats/json.md has the keys.
 */
void kft_stats_result(struct kft_trace *t, const struct kft_stats *stats,
		      struct kft_result *ret);
