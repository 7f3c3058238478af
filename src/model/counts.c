// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts events by id. */
#include "model/counts.h"

#include <errno.h>
#include <kft/trace.h>

#define ID_COUNT 65536

struct kft_counts *kft_counts_create(void)
{
	struct kft_counts *c = calloc(1, sizeof(*c));

	if (c)
		c->first = UINT64_MAX;
	return c;
}

struct kft_counts *kft_counts_destroy(struct kft_counts *c)
{
	if (c)
		free(c->high);
	free(c);
	return NULL;
}

int kft_counts_add(struct kft_counts *c, uint16_t id)
{
	if (id < KFT_COUNTS_LOW) {
		c->low[0][id]++;
		return 0;
	}
	if (!c->high)
		c->high = calloc(ID_COUNT, sizeof(*c->high));
	if (!c->high)
		return -ENOMEM;
	c->high[id]++;
	return 0;
}

void kft_counts_add_loss(struct kft_counts *c, uint64_t lost)
{
	if (!lost)
		return;
	c->gaps++;
	if (lost == KFT_LOST_UNKNOWN)
		c->uncounted_gaps++;
	else
		c->lost += lost;
}
