/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * A plot of the durations of intervals of a kind over time: a grid with the number of
 * intervals by duration and by the part of the time in which they began. All drawings are
 * made from it: the distribution of durations, the longest over time, the density.
 */
#define KFT_PLOT_TIMES	    192 /* columns: equal parts of the time */
#define KFT_PLOT_PER_OCTAVE 4 /* rows: equal parts of an octave, on a logarithmic scale */
#define KFT_PLOT_LENGTHS    (48 * KFT_PLOT_PER_OCTAVE) /* up to 78 hours */
#define KFT_PLOT_WORST	    5

struct kft_plot_point {
	uint64_t begin_ns;
	uint64_t length_ns;
	char what[96]; /* identifies the interval: key, task, place */
};

struct kft_plot {
	const char *kind; /* borrowed */
	uint64_t begin_ns; /* range of the plot, ns on the clock of the buffer */
	uint64_t end_ns;
	uint64_t count;
	uint64_t longest_ns;
	uint32_t grid[KFT_PLOT_TIMES][KFT_PLOT_LENGTHS];
	unsigned int n_worst;
	struct kft_plot_point worst[KFT_PLOT_WORST]; /* sorted, the longest first */
};

unsigned int kft_plot_length_bin(uint64_t ns);

/* The lower bound of a row. */
uint64_t kft_plot_bin_ns(unsigned int bin);

static inline unsigned int kft_plot_time_bin(const struct kft_plot *p, uint64_t ts)
{
	uint64_t span = KFT_MAX(p->end_ns - p->begin_ns, UINT64_C(1));
	double part = ts > p->begin_ns ? (double)(ts - p->begin_ns) / (double)span : 0;

	return (unsigned int)KFT_MIN(part * KFT_PLOT_TIMES, KFT_PLOT_TIMES - 1.0);
}

/* The first and the last row that is not empty; false: the plot is empty. */
bool kft_plot_lengths(const struct kft_plot *p, unsigned int *ret_first,
		      unsigned int *ret_last);

/* The rank of a duration among the worst, or KFT_PLOT_WORST if it is not one of them. */
unsigned int kft_plot_rank(const struct kft_plot *p, uint64_t length_ns);

/* Counts an interval; its description is stored if it is one of the worst. */
void kft_plot_add(struct kft_plot *p, uint64_t begin_ns, uint64_t length_ns,
		  const char *what);
