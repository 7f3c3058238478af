/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/func_stats.h"

/*
 * Prints functions as a table in the layout of KFT's kd, for scripts that read it.
 * Each letter is a column: F name, c calls, t total time, a average, r range, s time
 * in sub-routines, l local time, m callee with the most time, n calls of that
 * callee, u all callees; T and L total and local time on a CPU. Times are in
 * microseconds, -1 when not known.
 */
#define KFT_KD_COLUMNS	    "Fctal"
#define KFT_KD_COLUMNS_LONG "Fctalsmn"

struct kft_kd_table {
	const char *columns; /* letters; an unknown one is reported in a line */
	uint64_t min_total_ns; /* omit functions with a smaller total time */
	uint64_t top; /* maximum number of functions; 0: all */
};

/* Appends the table to sb, in the order of stats->funcs. */
void kft_kd_table_write(const struct kft_kd_table *table,
			const struct kft_func_stats *stats,
			const struct kft_intern *names, struct kft_strbuf *sb);
