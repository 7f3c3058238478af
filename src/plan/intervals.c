// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds the kernel-side intervals of plans. */
#include "plan/intervals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static void interval_finish(struct kft_plan_interval *i)
{
	free(i->name);
	free(i->begin.filter);
	free(i->end.filter);
	free(i->cancel.filter);
}

static int copy(char **text)
{
	*text = *text ? strdup(*text) : NULL;
	return *text ? 0 : -ENOMEM;
}

int kft_plan_add_interval(struct kft_plan *p, const struct kft_plan_interval *interval,
			  struct kft_err *e)
{
	struct kft_plan_interval own = *interval;
	struct kft_plan_interval *all = reallocarray(p->intervals, p->n_intervals + 1,
						     sizeof(own));
	int r = copy(&own.name);

	if (copy(&own.begin.filter) < 0 && interval->begin.filter)
		r = -ENOMEM;
	if (copy(&own.end.filter) < 0 && interval->end.filter)
		r = -ENOMEM;
	if (copy(&own.cancel.filter) < 0 && interval->cancel.filter)
		r = -ENOMEM;
	if (all)
		p->intervals = all;
	if (r < 0 || !all) {
		interval_finish(&own);
		return kft_err_memory(e);
	}
	all[p->n_intervals++] = own;
	return 0;
}

void kft_plan_intervals_finish(struct kft_plan *p)
{
	for (size_t i = 0; i < p->n_intervals; i++)
		interval_finish(&p->intervals[i]);
	free(p->intervals);
	p->intervals = NULL;
	p->n_intervals = 0;
}
