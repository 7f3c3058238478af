/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * Moves bytes of a CPU's trace_pipe_raw into a file by way of a pipe, in whole pages. One
 * thread uses a pump. It owns the pipe, not the two files.
 */
struct kft_pump {
	int from_fd; /* non-blocking */
	int to_fd;
	int pipe[2]; /* owned */
	size_t pipe_bytes; /* capacity of the pipe */
	size_t page_size; /* bytes of a sub-buffer */
	bool copy; /* the file cannot be spliced to */
	uint8_t *buf; /* owned: holds a page, or bytes to copy */
	size_t buf_bytes;
};

int kft_pump_open(struct kft_pump *p, int from_fd, int to_fd,
		  size_t page_size) __must_check;
void kft_pump_close(struct kft_pump *p);

/* The side that failed: reading from the kernel or writing to the file. */
enum kft_pump_side {
	KFT_PUMP_FROM,
	KFT_PUMP_TO,
};

/*
 * Moves full pages, as many as fit into the pipe. Returns the number of bytes, 0 when
 * there is no full page now. After a failure (-errno) *ret_side is the side that failed.
 */
ssize_t kft_pump_pages(struct kft_pump *p, enum kft_pump_side *ret_side) __must_check;

/*
 * The same for one page that need not be full, filled up with zeros. Meant for the end:
 * while the kernel still records, reading a partial page splits it.
 */
ssize_t kft_pump_rest(struct kft_pump *p, enum kft_pump_side *ret_side) __must_check;
