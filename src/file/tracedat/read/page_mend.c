// SPDX-License-Identifier: LGPL-2.1-or-later
/* Repairs a truncated ring-buffer page. */
#include "file/tracedat/read/page_mend.h"

/*
 * Flag "events were lost before this page", which is kept. The flag "their number follows
 * the data" is cleared, as the number is cut off.
 */
#define COMMIT_MISSED (UINT64_C(1) << 31)

static void store_commit(const struct kft_ring_layout *l, uint8_t *page, uint32_t len)
{
	const bool swap = l->big_endian != KFT_HOST_BIG_ENDIAN;
	uint8_t *p = page + l->commit_offset;
	uint64_t old = l->commit_size == 8 ? kft_load_u64(p, swap)
					   : kft_load_u32(p, swap);
	uint64_t commit = len | (old & COMMIT_MISSED);

	if (l->commit_size == 8) {
		commit = kft_load_u64(&commit, swap);
		memcpy(p, &commit, 8);
	} else {
		uint32_t word = commit;

		word = kft_load_u32(&word, swap);
		memcpy(p, &word, 4);
	}
}

bool kft_page_mend(const struct kft_ring_layout *l, uint8_t *page, size_t have,
		   size_t page_size)
{
	struct kft_ring_page p;
	const uint8_t *data;
	uint32_t size;
	size_t n = 0;

	memset(page + have, 0, page_size - have);
	if (kft_ring_page_open(l, page, have, &p) < 0)
		return false;
	while (kft_ring_next(&p, l->big_endian, &data, &size) > 0)
		n++;
	/* A time extend after the last record is kept: readers ignore it. */
	if (p.cut) {
		size_t len = p.pos - page - l->data_offset;

		memset(page + l->data_offset + len, 0, page_size - l->data_offset - len);
		store_commit(l, page, (len + 3) & ~3u);
	}
	return n > 0;
}
