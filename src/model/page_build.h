/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * Builds ring-buffer pages from records, in the layout that the kernel has used since
 * 2.6.31 (docs/formats/trace-dat.md), for a sink when the kernel's own pages cannot be
 * used: some records were filtered, or they come from another format. One thread owns a
 * builder; all records of a builder are from one CPU, in the order of time.
 */
struct kft_page_builder {
	uint8_t *page; /* owned */
	uint32_t page_size;
	uint32_t header_size; /* bytes before the first record */
	bool big_endian; /* byte order of the trace and of the records that are added */
	uint32_t used; /* bytes of records in the page */
	uint64_t ts; /* time of the last record */
	uint64_t lost; /* events lost before the page: 0, n, KFT_LOST_UNKNOWN */
	/*
	 * Called with a full page, borrowed for the call; a negative result
	 * is returned to the caller.
	 */
	int (*flush)(void *arg, const void *page, size_t size);
	void *arg; /* borrowed */
};

/* page_size is at least 64; long_size is that of the trace, 4 or 8. -ENOMEM. */
int kft_page_builder_init(struct kft_page_builder *b, uint32_t page_size, bool big_endian,
			  uint32_t long_size) __must_check;
void kft_page_builder_finish(struct kft_page_builder *b);

/*
 * Adds a record: data as in struct kft_event. A record after a loss starts a new page
 * that is marked with it; a record with an earlier time also starts one. -EMSGSIZE when
 * the record does not fit into any page.
 */
int kft_page_builder_add(struct kft_page_builder *b, uint64_t ts, const void *data,
			 uint32_t size, uint64_t lost) __must_check;

/*
 * Passes the records of an incomplete page to flush as a page of its own. Later records are
 * added to the same page: it comes again, with all of them.
 */
int kft_page_builder_show(struct kft_page_builder *b) __must_check;

/* Flushes the last page if it holds any records. */
int kft_page_builder_end(struct kft_page_builder *b) __must_check;
