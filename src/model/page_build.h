/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_PAGE_BUILD_H
#define KFT_MODEL_PAGE_BUILD_H

#include "base/macro.h"

/*
 * Builds ring-buffer pages out of records, in the layout that the kernel has used since
 * 2.6.31 (docs/formats/trace-dat.md): what a sink takes when the pages of the kernel
 * cannot go into the file as they are, because records were left out or come from
 * elsewhere. One thread owns a builder; its records are those of one CPU, in the order of
 * their times.
 */
struct kft_page_builder {
	uint8_t *page; /* owned */
	uint32_t page_size;
	uint32_t header_size; /* before the first record */
	bool big_endian; /* of the trace, as are the records that are added */
	uint32_t used; /* bytes of records in the page */
	uint64_t ts; /* of the last record */
	uint64_t lost; /* before the page: 0, n, KFT_LOST_UNKNOWN */
	/* Takes a full page, borrowed for the call; what it returns below 0 is handed on. */
	int (*flush)(void *arg, const void *page, size_t size);
	void *arg; /* borrowed */
};

/* page_size is at least 64. -ENOMEM. long_size: of the trace, 4 or 8. */
int kft_page_builder_init(struct kft_page_builder *b, uint32_t page_size, bool big_endian,
			  uint32_t long_size) __must_check;
void kft_page_builder_finish(struct kft_page_builder *b);

/*
 * Adds a record: data as in struct kft_event. With lost events before it, it starts a page
 * that says so; so does one whose time goes back. -EMSGSIZE for one that fits no page.
 */
int kft_page_builder_add(struct kft_page_builder *b, uint64_t ts, const void *data,
			 uint32_t size, uint64_t lost) __must_check;

/* Gives the last page to flush, if it holds anything. */
int kft_page_builder_end(struct kft_page_builder *b) __must_check;

#endif
