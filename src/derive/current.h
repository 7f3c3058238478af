/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_CURRENT_H
#define KFT_DERIVE_CURRENT_H

#include "derive/engine.h"

/*
 * The state that a task or a CPU is in, where one state follows another: an interval that goes
 * on. Zeroed, it is not known.
 */
struct kft_current {
	bool is_known;
	uint64_t losses; /* up to its beginning, as of struct kft_kind_input */
	struct kft_interval state;
};

int kft_current_end(struct kft_current *c, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink) __must_check;

/* At the end of the trace. */
int kft_current_cut(struct kft_current *c, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink) __must_check;

#endif
