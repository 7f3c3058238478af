// SPDX-License-Identifier: LGPL-2.1-or-later
/* A plot of the durations of intervals over time. */
#include "model/plot.h"

#include <stdio.h>
#include <string.h>

/*
 * Divides an octave [2^e, 2^(e+1)) into equal steps: close to a logarithmic scale,
 * without computing a logarithm.
 */
unsigned int kft_plot_length_bin(uint64_t ns)
{
	unsigned int e = 63 - (unsigned int)__builtin_clzll(ns | 1);
	unsigned int part =
		(unsigned int)(((ns - (UINT64_C(1) << e)) * KFT_PLOT_PER_OCTAVE) >> e);

	if (!ns)
		return 0;
	return KFT_MIN(e * KFT_PLOT_PER_OCTAVE + part, KFT_PLOT_LENGTHS - 1U);
}

uint64_t kft_plot_bin_ns(unsigned int bin)
{
	unsigned int e = bin / KFT_PLOT_PER_OCTAVE;
	uint64_t part = bin % KFT_PLOT_PER_OCTAVE;

	return (UINT64_C(1) << e) +
	       ((part << e) + KFT_PLOT_PER_OCTAVE - 1) / KFT_PLOT_PER_OCTAVE;
}

bool kft_plot_lengths(const struct kft_plot *p, unsigned int *ret_first,
		      unsigned int *ret_last)
{
	*ret_first = KFT_PLOT_LENGTHS;
	*ret_last = 0;
	for (unsigned int x = 0; x < KFT_PLOT_TIMES; x++) {
		for (unsigned int y = 0; y < KFT_PLOT_LENGTHS; y++) {
			if (!p->grid[x][y])
				continue;
			*ret_first = KFT_MIN(*ret_first, y);
			*ret_last = KFT_MAX(*ret_last, y);
		}
	}
	return *ret_first <= *ret_last;
}

unsigned int kft_plot_rank(const struct kft_plot *p, uint64_t length_ns)
{
	unsigned int rank = p->n_worst;

	while (rank && p->worst[rank - 1].length_ns < length_ns)
		rank--;
	return rank;
}

static void keep_worst(struct kft_plot *p, unsigned int rank, uint64_t begin_ns,
		       uint64_t length_ns, const char *what)
{
	struct kft_plot_point *w = p->worst;

	p->n_worst = KFT_MIN(p->n_worst + 1, (unsigned int)KFT_PLOT_WORST);
	memmove(w + rank + 1, w + rank, (p->n_worst - 1 - rank) * sizeof(*w));
	w[rank] = (struct kft_plot_point){.begin_ns = begin_ns, .length_ns = length_ns};
	(void)snprintf(w[rank].what, sizeof(w[rank].what), "%s", what);
}

void kft_plot_add(struct kft_plot *p, uint64_t begin_ns, uint64_t length_ns,
		  const char *what)
{
	unsigned int rank = kft_plot_rank(p, length_ns);

	p->count++;
	p->longest_ns = KFT_MAX(p->longest_ns, length_ns);
	p->grid[kft_plot_time_bin(p, begin_ns)][kft_plot_length_bin(length_ns)]++;
	if (rank < KFT_PLOT_WORST)
		keep_worst(p, rank, begin_ns, length_ns, what);
}
