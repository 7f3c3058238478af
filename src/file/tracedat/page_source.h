/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_PAGE_SOURCE_H
#define KFT_FILE_TRACEDAT_PAGE_SOURCE_H

#include "base/macro.h"

/*
 * Where the ring-buffer pages of one CPU come from when a file is written: `bytes` of
 * them, a multiple of the buffer's page size. Either a range of a file, copied without
 * passing through user space where the file system can; or a function, asked for them
 * once, in order and by one thread. The last `tail_bytes` of them may come from memory
 * instead: a page that was torn when its writer died, made whole.
 */
struct kft_page_source {
	uint32_t cpu;
	uint64_t bytes; /* all of them, the tail's too */
	int fd; /* borrowed; -1: `read` gives the pages */
	uint64_t offset; /* of the first byte in fd */
	/* Exactly len bytes that start at pos of this source; 0 or -errno. */
	int (*read)(void *arg, uint64_t pos, void *buf, size_t len);
	void *arg; /* of read; borrowed */
	const void *tail; /* borrowed; NULL with tail_bytes 0 */
	size_t tail_bytes;
};

/* Exactly len bytes from pos on, the tail included; -ENODATA when fd has fewer. */
int kft_page_source_read(const struct kft_page_source *s, uint64_t pos, void *buf,
			 size_t len) __must_check;

/*
 * Copies all bytes to out_fd from offset on. `copied` (may be NULL) is told now and then
 * how many more bytes were written. -ENOSPC and the like from writing, -EIO from reading.
 */
typedef void kft_copied_fn(void *arg, uint64_t bytes);
int kft_page_source_copy(const struct kft_page_source *s, int out_fd, uint64_t offset,
			 kft_copied_fn *copied, void *arg) __must_check;

#endif
