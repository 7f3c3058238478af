/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/calls/func_event.h"
#include "model/symbol.h"

/*
 * Decides which open call a record of function_graph ends: the one rule for all code that
 * keeps stacks of calls. A record has a function and a depth, and so has each open call
 * of its task. Not all entries and returns are recorded, and events get lost.
 */
struct kft_call_id {
	uint64_t func; /* address */
	uint32_t depth;
	enum kft_func_context context; /* as recorded, or a better known one */
};

enum kft_call_match {
	KFT_MATCH_GOES_ON, /* the record does not show that the call is over */
	KFT_MATCH_ENDS, /* the record is the call's return */
	KFT_MATCH_LEFT, /* the call is over; its return was not recorded */
};

/*
 * Compares a record with the innermost open call; after LEFT the caller goes on with the
 * next one. An interrupt that comes after a call has returned, but before this is
 * recorded, takes the call's place on the kernel's stack: the record of the return comes
 * after those of the interrupt. symbols identify the functions of interrupts; may be
 * empty.
 */
enum kft_call_match kft_call_match(const struct kft_symbol_table *symbols,
				   struct kft_call_id open, struct kft_call_id record,
				   bool is_return);
