/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_CALL_PLACE_H
#define KFT_DERIVE_CALL_PLACE_H

#include "derive/func_event.h"
#include "derive/func_names.h"
#include "derive/nest.h"

/*
 * Where a call stands on the stack of its task: was it made by the one below it, does it
 * begin an interrupt? Since Linux 6.11 all tracers share the return stack of a task, so that
 * a gap in the depths that are recorded says nothing but that something in between was not
 * recorded here: a function that another session traces, or what was lost.
 */
struct kft_call_place {
	bool has_parent; /* the one below made it */
	bool interrupts; /* it interrupts the one below, or whatever went on */
	enum kft_func_context context; /* its own, which is also what it was called in */
};

struct kft_call_hint {
	struct kft_func func;
	uint32_t depth;
	enum kft_func_context context; /* as recorded */
	uint64_t losses; /* places so far where events are missing */
};

/*
 * below: the innermost call under way, or NULL. The caller is not known where it may be lost:
 * with a gap in the depths, and events missing since below was recorded.
 */
struct kft_call_place kft_call_place_find(const struct kft_nested *below,
					  const struct kft_call_hint *hint);

#endif
