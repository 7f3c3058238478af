/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"

/*
 * The current state of a task or a CPU, if one state follows another: an open interval.
 * Zeroed, the state is unknown.
 */
struct kft_current {
	bool is_known;
	uint64_t losses; /* kft_kind_input.losses at its beginning */
	struct kft_interval state;
};

int kft_current_end(struct kft_current *c, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink) __must_check;

/* Ends a state as not ended, at the end of the trace. */
int kft_current_cut(struct kft_current *c, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink) __must_check;
