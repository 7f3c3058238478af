/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_LATER_MODULES_H
#define KFT_TRACEFS_LATER_MODULES_H

#include <kft/plan.h>

#include "base/strbuf.h"
#include "capture/notify.h"
#include "model/meta.h"

/*
 * Functions of modules that are loaded after a recording of chosen functions began: the kernel's
 * filter does not have them, whatever patterns it was made of. `struct kft_later_modules l = {};`
 * is an empty one.
 */
struct kft_later_modules {
	/* A pattern each line; without any nothing was chosen. */
	struct kft_strbuf include;
	struct kft_strbuf exclude;
};

/* Copies the plan's patterns. A filter of all functions leaves no module out. */
void kft_later_modules_init(struct kft_later_modules *l,
			    const struct kft_plan_functions *f);
void kft_later_modules_finish(struct kft_later_modules *l);

/*
 * Says how many functions of blocks (decode/module_symbols.h) match and were left out. The
 * kernel may be unable to trace some of them: it is the most that there can be.
 */
void kft_later_modules_tell(struct kft_later_modules *l, const struct kft_blob *blocks,
			    const struct kft_notify *notify);

#endif
