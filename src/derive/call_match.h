/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_CALL_MATCH_H
#define KFT_DERIVE_CALL_MATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Which open call a record of function_graph ends: the one rule for all who have stacks of
 * calls. A record has a function and a depth, and so has each open call of its task; not all
 * entries and returns are recorded, and events get lost.
 */
struct kft_call_id {
	uint64_t func; /* address */
	uint32_t depth;
};

enum kft_call_match {
	KFT_MATCH_GOES_ON, /* what is recorded happens within the call */
	KFT_MATCH_ENDS, /* it is the call's return */
	KFT_MATCH_LEFT, /* the call is over, its return was not recorded */
};

/* What a record says of the innermost open call; after LEFT the next one is to be asked. */
static inline enum kft_call_match
kft_call_match(struct kft_call_id open, struct kft_call_id record, bool is_return)
{
	if (open.depth < record.depth)
		return KFT_MATCH_GOES_ON;
	return is_return && open.depth == record.depth && open.func == record.func
		       ? KFT_MATCH_ENDS
		       : KFT_MATCH_LEFT;
}

#endif
