/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_PAGE_SOURCE_H
#define KFT_FILE_TRACEDAT_PAGE_SOURCE_H

#include <sys/types.h>

#include "base/macro.h"

/*
 * Where the ring-buffer pages of one CPU come from when a file is written. Either a range
 * of a file, copied without passing through user space where the file system can, and
 * after it perhaps some pages in memory (one that was torn and made whole); or a function
 * that gives them in order, asked by one thread until it says that there are no more.
 * All of it is whole pages.
 */
struct kft_page_source {
	uint32_t cpu;
	uint64_t bytes; /* of the range; a guess, for progress, with `read` */
	int fd; /* borrowed; -1: `read` gives the pages */
	uint64_t offset; /* of the first byte in fd */
	const void *tail; /* after the range; borrowed, NULL for none */
	size_t tail_bytes;
	/* Up to len bytes: how many, 0 at the end, -errno. */
	ssize_t (*read)(void *arg, void *buf, size_t len);
	void *arg; /* of read; borrowed */
};

/*
 * The next bytes of the source, as many of len as there are; 0 at the end; -ENODATA when
 * fd is shorter than the range. *pos is 0 for the start and moves on.
 */
ssize_t kft_page_source_read(const struct kft_page_source *s, uint64_t *pos, void *buf,
			     size_t len) __must_check;

/*
 * Copies everything to out_fd from offset on, and says how much that was. `copied` (may
 * be NULL) is told now and then how many more bytes were written.
 */
typedef void kft_copied_fn(void *arg, uint64_t bytes);
int kft_page_source_copy(const struct kft_page_source *s, int out_fd, uint64_t offset,
			 kft_copied_fn *copied, void *arg,
			 uint64_t *ret_bytes) __must_check;

#endif
