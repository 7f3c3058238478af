/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/vec.h"
#include "derive/engine/engine.h"
#include "model/event_filter_steps.h"

/*
 * The keys, as numbers, that have a name which matches a test of strings: programs in the kernel
 * compare numbers only.
 */
struct kft_live_key_range {
	uint64_t first;
	uint64_t last;
};

struct kft_live_key_ranges {
	KFT_VEC(struct kft_live_key_range) list; /* ascending */
};

/*
 * Finds the keys of a kind that are equal to the text of a step, or match it as a glob (for != those
 * that are equal). -EOPNOTSUPP with the reason if they are not known, -ENOMEM.
 */
int kft_live_key_ranges_find(const struct kft_filter_step *step,
			     const struct kft_interval_kind *kind,
			     struct kft_trace *names, struct kft_live_key_ranges *ret,
			     struct kft_err *e) __must_check;
void kft_live_key_ranges_finish(struct kft_live_key_ranges *r);
