// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps statistics of functions. */
#include "model/func_stats.h"

const struct kft_callee_stat *kft_func_stat_max_callee(const struct kft_func_stats *s,
						       const struct kft_func_stat *f)
{
	const struct kft_callee_stat *max = NULL;

	for (uint32_t i = f->first_callee; i != KFT_FUNC_STAT_NONE;
	     i = s->callees.data[i].next)
		if (!max || s->callees.data[i].sum_ns > max->sum_ns)
			max = &s->callees.data[i];
	return max;
}

void kft_func_stats_finish(struct kft_func_stats *s)
{
	kft_vec_finish(&s->funcs);
	kft_vec_finish(&s->callees);
}
