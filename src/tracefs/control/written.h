/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/ring.h"

/*
 * Counts the events in the pages that were written for one CPU, by reading them back from
 * the file while it is still in memory. The difference to the kernel's count of read
 * events shows whether a second reader of the buffer took some.
 */
struct kft_written {
	int fd; /* borrowed */
	uint64_t pos; /* offset in the file up to which events are counted */
	uint64_t events; /* counted so far */
	uint64_t last_ts; /* time of the last event, by the buffer's clock; 0: none yet */
	struct kft_ring_layout layout;
	size_t page_size;
	uint8_t *buf; /* owned; NULL: nothing is counted */
};

/* Starts counting at the current position of fd. -ENOMEM. */
int kft_written_open(struct kft_written *w, int fd, const struct kft_ring_layout *layout,
		     size_t page_size) __must_check;
void kft_written_finish(struct kft_written *w);

/* Starts counting at pos, the end of a page, or at the current position if that is lower. */
void kft_written_resume(struct kft_written *w, uint64_t pos);

/*
 * Counts the pages written since the last call; *ret is the number of all events so far.
 * -ENODATA when the file cannot be read back.
 */
int kft_written_count(struct kft_written *w, uint64_t *ret) __must_check;
