/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/read/state.h"

/*
 * Reads options (u16 id, u32 size, data) up to DONE into the trace's metadata and d. c
 * covers a part of the file that was loaded from x. An unknown option is noted and
 * skipped; a malformed one is damage, and reading goes on with the next one.
 *
 * *ret_next is the value of version 7's DONE: the file offset of the next options, or 0.
 * -EBADMSG (and damage) when the list itself is malformed.
 */
int kft_dat_read_options(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			 struct kft_cursor *c, uint64_t *ret_next) __must_check;
