/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/calls/func_event.h"
#include "derive/calls/func_names.h"
#include "derive/calls/nest.h"

/* The facts about a call in its record, without the times. */
struct kft_call_hint {
	struct kft_func func;
	uint32_t depth;
	enum kft_func_context context; /* as recorded */
	uint64_t losses; /* number of losses so far */
};

/*
 * Enters a call on the stack of its task: decides whether the innermost open call made it,
 * and whether it begins an interrupt. Since Linux 6.11 all tracers share the return stack
 * of a task, so a gap in the recorded depths shows only that a call in between was not
 * recorded here: of a function that another session traces, or a lost one. The caller is
 * unknown if it may be lost: if there is a gap in the depths and events were lost since the
 * call below was recorded.
 *
 * call has its times, its CPU, and its caller if it was recorded; the rest is filled in.
 * *ret is borrowed. -ENOMEM, or the result of the nest's sink.
 */
int kft_call_enter(struct kft_nest *nest, int32_t pid, const struct kft_call_hint *hint,
		   struct kft_call *call, struct kft_nested **ret) __must_check;
