// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps a recording within what it may cost. */
#include "capture/run/budget.h"

#include <stdlib.h>

static int by_rate(const void *a, const void *b)
{
	uint64_t ra = ((const struct kft_event_rate *)a)->per_s;
	uint64_t rb = ((const struct kft_event_rate *)b)->per_s;

	return ra < rb ? 1 : ra > rb ? -1 : 0;
}

size_t kft_budget_choose(struct kft_event_rate *rates, size_t n, uint64_t event_ns,
			 uint64_t max_ppm)
{
	uint64_t sum = 0;
	size_t out = 0;

	if (n)
		qsort(rates, n, sizeof(*rates), by_rate);
	for (size_t i = 0; i < n; i++)
		sum += rates[i].per_s;
	while (out < n && kft_budget_cost_ppm(sum, event_ns) > max_ppm)
		sum -= rates[out++].per_s;
	return out;
}
