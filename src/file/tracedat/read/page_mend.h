/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/ring.h"

/*
 * Repairs a page with only its first have bytes written (the disk was full, the recorder
 * was killed), so that every reader accepts it: its commit word ends after the last
 * complete record, and zeroes follow. page holds page_size bytes, have <= page_size.
 * False when the page has not even one record.
 */
bool kft_page_mend(const struct kft_ring_layout *l, uint8_t *page, size_t have,
		   size_t page_size) __must_check;
