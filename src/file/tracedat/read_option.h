/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_OPTION_H
#define KFT_FILE_TRACEDAT_READ_OPTION_H

#include "file/tracedat/read_state.h"

/*
 * Reads options (u16 id, u32 size, data) up to DONE into the trace's metadata and d.
 * c is over a part of the file that was loaded, x says where that is. What is unknown is
 * noted and skipped; an option that is broken is damage, and the next one is read.
 *
 * *ret_next is what version 7's DONE says: the file offset of the next options, or 0.
 * -EBADMSG (and damage) when the list itself is broken.
 */
int kft_dat_read_options(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			 struct kft_cursor *c, uint64_t *ret_next) __must_check;

#endif
