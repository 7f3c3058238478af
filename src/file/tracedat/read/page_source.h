/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "base/macro.h"

/*
 * Source of the ring-buffer pages of one CPU for a writer. Either a range of a file,
 * copied without passing through user space where the file system can, optionally
 * followed by pages in memory (a repaired page); or a function that returns them in
 * order, called by one thread until it returns 0. The total is a whole number of pages.
 */
struct kft_page_source {
	uint32_t cpu;
	uint64_t bytes; /* of the range; with `read` an estimate, for progress */
	int fd; /* borrowed; -1: `read` returns the pages */
	uint64_t offset; /* of the range's first byte in fd */
	const void *tail; /* borrowed; pages after the range, NULL: none */
	size_t tail_bytes;
	/* Fills up to len bytes: returns how many, 0 at the end, -errno. */
	ssize_t (*read)(void *arg, void *buf, size_t len);
	void *arg; /* of read; borrowed */
};

/*
 * Reads the next bytes of the source, up to len; 0 at the end; -ENODATA when fd is
 * shorter than the range. *pos is 0 for the start and is advanced.
 */
ssize_t kft_page_source_read(const struct kft_page_source *s, uint64_t *pos, void *buf,
			     size_t len) __must_check;

/*
 * Copies all pages to out_fd from offset on; *ret_bytes is their size. `copied` (may be
 * NULL) is called after each step with the number of bytes written in it.
 */
typedef void kft_copied_fn(void *arg, uint64_t bytes);
int kft_page_source_copy(const struct kft_page_source *s, int out_fd, uint64_t offset,
			 kft_copied_fn *copied, void *arg,
			 uint64_t *ret_bytes) __must_check;
