/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_MODULE_SYMBOLS_H
#define KFT_DECODE_MODULE_SYMBOLS_H

#include "base/strbuf.h"
#include "model/meta.h"

/*
 * Symbols of kernel modules that were loaded at any time of a recording. /proc/kallsyms has
 * those of the modules that are loaded now: a module that is removed takes its names along, and
 * another one may lie at its addresses later.
 *
 * A list has a line "NAME ADDRESS" for each module that was loaded at one time. Blocks
 * grow with each look at the modules: they have a line "=NAME ADDRESS" for a module that was
 * found, with its lines of /proc/kallsyms behind it, and "-NAME ADDRESS" for one that was not
 * found any more. Functions that append leave a lack of memory to kft_strbuf_ok().
 */

/* Appends the list of the text of /proc/modules. */
void kft_modules_list(const struct kft_strbuf *proc, struct kft_strbuf *ret);

/* Appends the lines of a list that the other one does not have. */
void kft_modules_minus(const struct kft_strbuf *list, const struct kft_strbuf *other,
		       struct kft_strbuf *ret);

/* Appends that the modules of a list are gone: before the blocks of those of the same look. */
void kft_modules_add_gone(const struct kft_strbuf *gone, struct kft_strbuf *blocks);

/* Appends the modules of a list that have no block yet, from the text of /proc/kallsyms. */
void kft_modules_add_blocks(const struct kft_strbuf *list,
			    const struct kft_blob *kallsyms, struct kft_strbuf *blocks);

/*
 * Appends the text of /proc/kallsyms with the symbols of all blocks in place of its own ones of
 * these modules. A trace has no times of symbols: where a module lay at the place of another one
 * that was gone, each symbol of both is named by its address, "0xffffffffc0400010". -ENOMEM,
 * -E2BIG for blocks that no machine has.
 */
int kft_modules_join(const struct kft_blob *kallsyms, const struct kft_blob *blocks,
		     struct kft_strbuf *ret) __must_check;

#endif
