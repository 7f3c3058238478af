/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_OVERRUNS_H
#define KFT_MODEL_OVERRUNS_H

#include "base/map.h"

/*
 * Calls that function_graph did not record because the return stack of their task was full:
 * 50 calls deep, since Linux 6.11 some more or less. Each exit says how many there were in
 * its task so far. Zeroed is empty.
 */
struct kft_overruns {
	struct kft_map
		by_stack; /* key of a task's stack -> what its last exit said, + 1 */
	uint64_t count; /* of all tasks */
};

/*
 * An exit, in the order of time; so_far is what it says. *ret_new calls have overrun since
 * the exit before. The first exit of a task may speak of calls before the trace: it does not
 * if it is one of the deepest itself. -ENOMEM.
 */
int kft_overruns_feed(struct kft_overruns *o, uint64_t stack, uint32_t depth,
		      uint32_t so_far, uint32_t *ret_new) __must_check;

void kft_overruns_finish(struct kft_overruns *o);

#endif
