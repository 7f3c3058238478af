/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"

/*
 * Calls that function_graph did not record because the return stack of their task was
 * full: at a depth of 50, since Linux 6.11 of about 50. Each exit record has the number
 * of such calls in its task so far. Zeroed is empty.
 */
struct kft_overruns {
	/* Key of a task's stack -> the count of its last exit, + 1. */
	struct kft_map by_stack;
	uint64_t count; /* sum over all tasks */
};

/*
 * Adds an exit, in the order of time; so_far is the count in its record. *ret_new is the
 * number of overruns since the task's previous exit. The first exit of a task may count
 * calls before the trace, unless its own depth is close to the maximum. -ENOMEM.
 */
int kft_overruns_feed(struct kft_overruns *o, uint64_t stack, uint32_t depth,
		      uint32_t so_far, uint32_t *ret_new) __must_check;

void kft_overruns_finish(struct kft_overruns *o);
