// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of a ring buffer. The first byte says which kind of page the rest is: bit 0 big
 * endian, bit 1 a long of 4 bytes, bit 2 only some ids wanted; bit 3: it is no page but a
 * header_page text. Reading and counting a page come to the same.
 */
#include "fuzz.h"

#include <string.h>

#include "decode/ring.h"

static void fuzz_text(bool big, const uint8_t *data, size_t size)
{
	struct kft_ring_layout l;

	if (kft_ring_layout_parse((const char *)data, size, big, &l) == 0)
		FUZZ_ASSERT(l.commit_size == 4 || l.commit_size == 8);
}

static void check_event(const struct kft_event *ev, const uint8_t *page, size_t size)
{
	FUZZ_ASSERT(ev->size >= 2);
	FUZZ_ASSERT(ev->data >= page && ev->data + ev->size <= page + size);
}

static void fuzz_page(const struct kft_ring_layout *l, const uint64_t *wanted,
		      const uint8_t *data, size_t size)
{
	const struct kft_event origin = {.cpu = 1};
	struct kft_ring_page p;
	struct kft_event evs[16];
	size_t n;
	int r;

	if (kft_ring_page_open(l, data, size, &p) < 0)
		return;
	do {
		const uint8_t *before = p.pos;

		r = kft_ring_read(&p, l->big_endian, wanted, &origin, evs, 16, &n);
		FUZZ_ASSERT(n <= 16 && p.pos <= data + size);
		/* It gets on, or it ends. */
		FUZZ_ASSERT(r != 1 || p.pos > before);
		for (size_t i = 0; i < n; i++)
			check_event(&evs[i], data, size);
	} while (r == 1);
}

/* Takes the events of the page away from those that were counted. */
static void uncount(const struct kft_ring_layout *l, const uint8_t *data, size_t size,
		    struct kft_ring_counted *counted, struct kft_counts *c)
{
	struct kft_ring_page p;
	const uint8_t *ev;
	uint32_t ev_size;
	int r;

	if (kft_ring_page_open(l, data, size, &p) < 0)
		return;
	while ((r = kft_ring_next(&p, l->big_endian, &ev, &ev_size)) > 0) {
		uint16_t id = kft_load_u16(ev, l->big_endian != KFT_HOST_BIG_ENDIAN);

		FUZZ_ASSERT(counted->first <= p.ts && p.ts <= counted->last);
		if (id >= KFT_COUNTS_LOW)
			c->high[id]--;
		else
			c->low[0][id]--;
	}
	FUZZ_ASSERT(r == counted->r && p.pos == counted->page.pos);
}

/* The page as two of different length, so that two walks are never at the same place. */
static void fuzz_count(const struct kft_ring_layout *l, const uint8_t *data, size_t size)
{
	_cleanup_(kft_counts_destroyp) struct kft_counts *c = kft_counts_create();
	struct kft_ring_counted counted[3] = {};
	size_t sizes[3] = {size / 2, size, size / 4 * 3};

	FUZZ_ASSERT(c);
	for (size_t i = 0; i < 3; i++)
		(void)!kft_ring_page_open(l, data, sizes[i], &counted[i].page);
	FUZZ_ASSERT(kft_ring_count(counted, 3, l->big_endian, c) == 0);
	for (size_t i = 0; i < 3; i++)
		uncount(l, data, sizes[i], &counted[i], c);
	for (uint32_t id = 0; id <= UINT16_MAX; id++)
		FUZZ_ASSERT(kft_counts_of(c, id) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t wanted[1024];

	if (!size)
		return 0;
	uint8_t kind = *data++;
	size--;
	struct kft_ring_layout l = kft_ring_layout_default(kind & 1, kind & 2 ? 4 : 8);
	memset(wanted, 0x55, sizeof(wanted));
	if (kind & 8) {
		fuzz_text(kind & 1, data, size);
		return 0;
	}
	fuzz_page(&l, kind & 4 ? wanted : NULL, data, size);
	fuzz_count(&l, data, size);
	return 0;
}
