// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of a ring buffer. The first byte says which kind of page the rest is: bit 0 big
 * endian, bit 1 a long of 4 bytes, bit 2 only some ids wanted; bit 3: it is no page but a
 * header_page text.
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t wanted[1024];

	if (!size)
		return 0;
	uint8_t kind = *data++;
	size--;
	struct kft_ring_layout l = kft_ring_layout_default(kind & 1, kind & 2 ? 4 : 8);
	memset(wanted, 0x55, sizeof(wanted));
	if (kind & 8)
		fuzz_text(kind & 1, data, size);
	else
		fuzz_page(&l, kind & 4 ? wanted : NULL, data, size);
	return 0;
}
