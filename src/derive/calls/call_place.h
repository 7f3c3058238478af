/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/calls/func_event.h"
#include "derive/calls/func_names.h"
#include "derive/calls/nest.h"

/*
 * The position of a call on the stack of its task: whether the call below made it, and
 * whether it begins an interrupt. Since Linux 6.11 all tracers share the return stack of
 * a task, so a gap in the recorded depths shows only that a call in between was not
 * recorded here: of a function that another session traces, or a lost one.
 */
struct kft_call_place {
	bool has_parent; /* the call below made it */
	bool interrupts; /* it interrupts the call below, or whatever ran before */
	enum kft_func_context context; /* of the call, at least that of the call below */
};

struct kft_call_hint {
	struct kft_func func;
	uint32_t depth;
	enum kft_func_context context; /* as recorded */
	uint64_t losses; /* number of losses so far */
};

/*
 * below: the innermost open call, or NULL. The caller is unknown if it may be lost: if
 * there is a gap in the depths and events were lost since below was recorded.
 */
struct kft_call_place kft_call_place_find(const struct kft_nested *below,
					  const struct kft_call_hint *hint);
