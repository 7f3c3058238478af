/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_PAGE_MEND_H
#define KFT_FILE_TRACEDAT_PAGE_MEND_H

#include "decode/ring.h"

/*
 * Makes a page of which only the first have bytes were written (the disk was full, the
 * recorder was killed) one that every reader takes: its commit word ends after the last
 * record that is there completely, zeroes follow. page holds page_size bytes and
 * have <= page_size. False when not even one record is there: the page is worth nothing.
 */
bool kft_page_mend(const struct kft_ring_layout *l, uint8_t *page, size_t have,
		   size_t page_size) __must_check;

#endif
