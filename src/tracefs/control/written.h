/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_WRITTEN_H
#define KFT_TRACEFS_WRITTEN_H

#include "decode/ring.h"

/*
 * How many events are in the pages that were written of one CPU, by reading them back from
 * the file while it is still in memory. Compared with the kernel's count of the events
 * that were read, it says whether a second reader of the buffer took some.
 */
struct kft_written {
	int fd; /* borrowed */
	uint64_t pos; /* everything before has been counted */
	uint64_t events; /* from where the counting began */
	struct kft_ring_layout layout;
	size_t page_size;
	uint8_t *buf; /* owned; NULL: nothing is counted */
};

/* Counts what is written at the position of fd from now on. -ENOMEM. */
int kft_written_open(struct kft_written *w, int fd, const struct kft_ring_layout *layout,
		     size_t page_size) __must_check;
void kft_written_finish(struct kft_written *w);

/*
 * Counts what was written since the last time; *ret is the sum. -ENODATA when the file
 * cannot be read back: nothing can be said then.
 */
int kft_written_count(struct kft_written *w, uint64_t *ret) __must_check;

#endif
