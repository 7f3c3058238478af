/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/strbuf.h"
#include "capture/notify.h"
#include "model/meta.h"

/*
 * Finds the functions that match a recording's patterns but belong to modules that were
 * loaded after it began: the kernel's filter does not get them, whichever patterns it was
 * made of. `struct kft_later_modules l = {};` is an empty one.
 */
struct kft_later_modules {
	/* Patterns, one on each line; empty: there is nothing to report. */
	struct kft_strbuf include;
	struct kft_strbuf exclude;
};

/* Copies the plan's patterns, but none if all functions are traced: no module is left out then. */
void kft_later_modules_init(struct kft_later_modules *l,
			    const struct kft_plan_functions *f);
void kft_later_modules_finish(struct kft_later_modules *l);

/*
 * Reports how many functions of blocks (decode/module_symbols.h) match and were left out.
 * The number is an upper bound, because the kernel may be unable to trace some of them.
 */
void kft_later_modules_tell(struct kft_later_modules *l, const struct kft_blob *blocks,
			    const struct kft_notify *notify);
