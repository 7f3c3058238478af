/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>

#include "base/macro.h"

/*
 * The buffer of a CPU that the kernel fills with records of perf events and a thread of kft
 * reads. The kernel drops records while it is full.
 */
struct kft_perf_ring {
	struct perf_event_mmap_page *head; /* owned: the mapping */
	size_t data_bytes; /* a power of two */
	size_t page_bytes; /* before the data */
	uint64_t at; /* position of the next record */
	uint8_t *whole; /* owned: room for a record that wraps around */
};

/*
 * Maps the buffer of fd. The user's limit of locked memory may refuse: the buffer is halved until
 * it fits. -EPERM when not even the smallest one does.
 */
int kft_perf_ring_map(struct kft_perf_ring *r, int fd, size_t bytes) __must_check;
void kft_perf_ring_unmap(struct kft_perf_ring *r);

/* The next record, borrowed until kft_perf_ring_release(); NULL: there is no more. */
const struct perf_event_header *kft_perf_ring_next(struct kft_perf_ring *r);

/* Returns the room of all records that were read to the kernel. */
void kft_perf_ring_release(struct kft_perf_ring *r);
