/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/meta.h"

/*
 * Symbols of all kernel modules that were loaded at any time during a recording.
 * /proc/kallsyms has only modules that are loaded now: a module that is removed takes its
 * names along, and another one may use its addresses later.
 *
 * A list has a line "NAME ADDRESS" for each module that was loaded at one time. Blocks grow with
 * each check of the modules: a line "=NAME ADDRESS" marks a module that was found, and is followed
 * by its lines of /proc/kallsyms; "-NAME ADDRESS" marks one that is gone, "+NAME ADDRESS" one that
 * was found again. A line "@SINCE UNTIL" before the lines of a check has the times of the check
 * before it and of itself, by the clock of the events. A line "?NAME" names a module that came and
 * went between these times: nobody knows where it was. Functions that append report lack of memory
 * by kft_strbuf_ok().
 */

/* Appends the list made of the text of /proc/modules. */
void kft_modules_list(const struct kft_strbuf *proc, struct kft_strbuf *ret);

/* Appends the lines of a list that are not in the other one. */
void kft_modules_minus(const struct kft_strbuf *list, const struct kft_strbuf *other,
		       struct kft_strbuf *ret);

/*
 * Appends the names, a line each, of removed modules that were in neither the list before nor in the
 * one after their removal. One that was in a list has been removed once without being unseen.
 */
void kft_modules_unseen(const struct kft_strbuf *removed, const struct kft_strbuf *before,
			const struct kft_strbuf *now, struct kft_strbuf *ret);

/* Appends that these modules came and went unseen. */
void kft_modules_add_unseen(const struct kft_strbuf *unseen, struct kft_strbuf *blocks);

/*
 * Appends the times between which the modules of the lines that follow came and went: the check
 * before began at since, and this one ended at until.
 */
void kft_modules_add_times(uint64_t since, uint64_t until, struct kft_strbuf *blocks);

/*
 * Appends that the modules of a list are gone. Call it before
 * kft_modules_add_blocks() of the same check.
 */
void kft_modules_add_gone(const struct kft_strbuf *gone, struct kft_strbuf *blocks);

/*
 * Appends blocks for the modules of a list that have no block yet, from
 * the text of /proc/kallsyms.
 */
void kft_modules_add_blocks(const struct kft_strbuf *list,
			    const struct kft_blob *kallsyms, struct kft_strbuf *blocks);

/*
 * Appends the text of /proc/kallsyms; modules with blocks get their symbols from the blocks
 * instead. Where two modules used the same addresses one after the other, each symbol of both is
 * replaced by its address, "0xffffffffc0400010", as other programs know no times of symbols; lines
 * of kft's own (decode/kallsyms.h) have the names with their times. -ENOMEM, -E2BIG for more
 * blocks than any machine makes.
 */
int kft_modules_join(const struct kft_blob *kallsyms, const struct kft_blob *blocks,
		     struct kft_strbuf *ret) __must_check;
