// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts calls that were too deep to be recorded. */
#include "model/overruns.h"

#include <errno.h>

/*
 * A lower depth than this is never a full return stack, even with many tracers at once.
 */
#define FULL_DEPTH_MIN 24

void kft_overruns_finish(struct kft_overruns *o)
{
	kft_map_finish(&o->by_stack);
}

int kft_overruns_feed(struct kft_overruns *o, uint64_t stack, uint32_t depth,
		      uint32_t so_far, uint32_t *ret_new)
{
	uint64_t *slot = kft_map_put(&o->by_stack, stack);
	uint32_t before;

	if (!slot)
		return -ENOMEM;
	if (*slot)
		before = *slot - 1;
	else
		before = depth < FULL_DEPTH_MIN ? so_far : 0;
	/* The counter went back, so another task has the pid now. */
	if (so_far < before)
		before = 0;
	*slot = (uint64_t)so_far + 1;
	*ret_new = so_far - before;
	o->count += *ret_new;
	return 0;
}
