// SPDX-License-Identifier: LGPL-2.1-or-later
/* Histograms with log-linear buckets. */
#include "analysis/stats/histogram.h"

#include <errno.h>
#include <stdlib.h>

#define PER_OCTAVE KFT_HISTOGRAM_PER_OCTAVE

void kft_histogram_finish(struct kft_histogram *h)
{
	for (unsigned int i = 0; i < KFT_HISTOGRAM_OCTAVES; i++) {
		free(h->octaves[i]);
		h->octaves[i] = NULL;
	}
}

uint64_t kft_histogram_least(unsigned int bucket)
{
	unsigned int octave = bucket / PER_OCTAVE;
	uint64_t sub = bucket % PER_OCTAVE;

	return octave ? (PER_OCTAVE + sub) << (octave - 1) : sub;
}

uint64_t kft_histogram_greatest(unsigned int bucket)
{
	unsigned int octave = bucket / PER_OCTAVE;

	return kft_histogram_least(bucket) +
	       (octave ? (UINT64_C(1) << (octave - 1)) - 1 : 0);
}

uint64_t *kft_histogram_add_octave(struct kft_histogram *h, unsigned int octave)
{
	if (!h->octaves[octave])
		h->octaves[octave] = calloc(PER_OCTAVE, sizeof(uint64_t));
	return h->octaves[octave];
}

int kft_histogram_join(struct kft_histogram *to, const struct kft_histogram *from)
{
	for (unsigned int i = 0; i < KFT_HISTOGRAM_OCTAVES; i++) {
		if (!from->octaves[i])
			continue;
		uint64_t *octave = kft_histogram_add_octave(to, i);

		if (!octave)
			return -ENOMEM;
		for (unsigned int j = 0; j < PER_OCTAVE; j++)
			octave[j] += from->octaves[i][j];
	}
	return 0;
}

uint64_t kft_histogram_count(const struct kft_histogram *h, unsigned int bucket)
{
	const uint64_t *octave = h->octaves[bucket / PER_OCTAVE];

	return octave ? octave[bucket % PER_OCTAVE] : 0;
}

uint64_t kft_histogram_rank(uint64_t n, unsigned int per_mille)
{
	/* Split into thousands and rest, so that the product cannot overflow. */
	return n / 1000 * per_mille + (n % 1000 * per_mille + 999) / 1000;
}

unsigned int kft_histogram_find(const struct kft_histogram *h, uint64_t rank,
				uint64_t *ret_below)
{
	uint64_t below = 0;
	unsigned int last = 0;

	for (unsigned int i = 0; i < KFT_HISTOGRAM_BUCKETS; i++) {
		if (!h->octaves[i / PER_OCTAVE]) {
			i += PER_OCTAVE - 1;
			continue;
		}
		uint64_t n = kft_histogram_count(h, i);

		if (n)
			last = i;
		if (below + n >= rank)
			break;
		below += n;
	}
	*ret_below = below;
	return last;
}
