// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the buffer of a CPU that perf events are written to. */
#include "perf/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The smallest buffer, in pages. */
#define PAGES_MIN 4
/* A record's size has 16 bits. */
#define RECORD_MAX_BYTES 65536

static int map(struct kft_perf_ring *r, int fd, size_t pages)
{
	void *p = mmap(NULL, r->page_bytes * (pages + 1), PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	r->head = p;
	r->data_bytes = r->page_bytes * pages;
	return 0;
}

int kft_perf_ring_map(struct kft_perf_ring *r, int fd, size_t bytes)
{
	size_t pages = PAGES_MIN;
	int err;

	*r = (struct kft_perf_ring){.page_bytes = (size_t)sysconf(_SC_PAGESIZE)};
	r->whole = malloc(RECORD_MAX_BYTES);
	if (!r->whole)
		return -ENOMEM;
	while (pages * 2 * r->page_bytes <= bytes)
		pages *= 2;
	do
		err = map(r, fd, pages);
	while (err == -EPERM && (pages /= 2) >= PAGES_MIN);
	return err;
}

void kft_perf_ring_unmap(struct kft_perf_ring *r)
{
	if (r->head)
		(void)munmap(r->head, r->page_bytes + r->data_bytes);
	free(r->whole);
	*r = (struct kft_perf_ring){};
}

static const void *at(const struct kft_perf_ring *r, uint64_t position)
{
	return (const uint8_t *)r->head + r->page_bytes +
	       (position & (r->data_bytes - 1));
}

const struct perf_event_header *kft_perf_ring_next(struct kft_perf_ring *r)
{
	/* Pairs with the barrier in the kernel's perf_output_put_handle(). */
	uint64_t end = __atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t pos = r->at;

	/* Records are aligned to 8 bytes, like their headers, so that no header wraps around. */
	if (end - pos < sizeof(struct perf_event_header))
		return NULL;
	const struct perf_event_header *h = at(r, pos);
	size_t first = r->data_bytes - (pos & (r->data_bytes - 1));

	if (h->size < sizeof(*h) || h->size > end - pos)
		return NULL;
	r->at = pos + h->size;
	if (h->size <= first)
		return h;
	size_t size = h->size;
	memcpy(r->whole, h, first);
	memcpy(r->whole + first, at(r, 0), size - first);
	return (const struct perf_event_header *)r->whole;
}

void kft_perf_ring_release(struct kft_perf_ring *r)
{
	__atomic_store_n(&r->head->data_tail, r->at, __ATOMIC_RELEASE);
}
