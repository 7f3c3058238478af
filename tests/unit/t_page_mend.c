// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "file/tracedat/read/page_mend.h"
#include "sample.h"

static const struct kft_ring_layout layout = {
	.big_endian = KFT_HOST_BIG_ENDIAN,
	.commit_offset = 8,
	.commit_size = 8,
	.data_offset = SAMPLE_PAGE_HEADER,
};

/* Reads the page as any reader would and checks that events count up from 100. */
static size_t count_events(const struct kft_ring_layout *l, const uint8_t *page,
			   size_t size)
{
	struct kft_ring_page p = {};
	const uint8_t *data = NULL;
	uint32_t len = 0;
	size_t n = 0;
	int r;

	assert_int_equal(kft_ring_page_open(l, page, size, &p), 0);
	assert_false(p.cut);
	while ((r = kft_ring_next(&p, l->big_endian, &data, &len)) > 0) {
		assert_int_equal(kft_load_u32(data + 8, false), 100 + n);
		n++;
	}
	assert_int_equal(r, 0);
	return n;
}

static void wherever_it_is_torn_whole_events_stay(void **state)
{
	uint8_t whole[SAMPLE_PAGE_BYTES];
	uint8_t page[SAMPLE_PAGE_BYTES];

	sample_page(whole, 100, SAMPLE_EVENTS_IN_PAGE);
	for (size_t have = 0; have <= sizeof(page); have++) {
		size_t want = have < SAMPLE_PAGE_HEADER
				      ? 0
				      : (have - SAMPLE_PAGE_HEADER) / SAMPLE_EVENT_BYTES;

		memset(page, 0xaa, sizeof(page));
		memcpy(page, whole, have);
		assert_int_equal(kft_page_mend(&layout, page, have, sizeof(page)),
				 want > 0);
		if (!want)
			continue;
		assert_int_equal(count_events(&layout, page, sizeof(page)), want);
		uint8_t mended[SAMPLE_PAGE_BYTES];
		sample_page(mended, 100, want);
		assert_memory_equal(page, mended, sizeof(page));
	}
}

static void a_page_that_is_whole_stays_as_it_is(void **state)
{
	uint8_t whole[SAMPLE_PAGE_BYTES];
	uint8_t page[SAMPLE_PAGE_BYTES];

	sample_page(whole, 100, 5);
	memcpy(page, whole, sizeof(page));
	/* All that the commit word promises is there: only zeroes are missing. */
	assert_true(kft_page_mend(&layout, page, SAMPLE_PAGE_HEADER + 80, sizeof(page)));
	assert_memory_equal(page, whole, sizeof(page));
}

static void lost_events_are_still_told(void **state)
{
	uint8_t page[SAMPLE_PAGE_BYTES];
	struct kft_ring_page p = {};
	const uint64_t commit = (UINT64_C(3) << 30) |
				SAMPLE_EVENTS_IN_PAGE * SAMPLE_EVENT_BYTES;

	sample_page(page, 100, SAMPLE_EVENTS_IN_PAGE);
	memcpy(page + 8, &commit, sizeof(commit));
	/* "Their number follows the data": not any more. */
	assert_true(kft_page_mend(&layout, page, 1000, sizeof(page)));
	assert_int_equal(kft_ring_page_open(&layout, page, sizeof(page), &p), 0);
	assert_true(p.lost == KFT_LOST_UNKNOWN);
	assert_int_equal(count_events(&layout, page, sizeof(page)), 61);
}

static void pages_of_other_machines(void **state)
{
	const struct kft_ring_layout l = kft_ring_layout_default(true, 4);
	/* ts, commit 0x18, two records of one word of data. */
	static const uint8_t whole[32] = {0,  0,    0, 0, 0, 0,	  0, 1, 0,   0, 0,
					  24, 0x08, 0, 0, 0, 0,	  7, 0, 'x', 8, 0,
					  0,  2,    0, 8, 0, 'y', 8, 0, 0,   2};
	uint8_t page[64];
	struct kft_ring_page p = {};

	memcpy(page, whole, 26);
	assert_true(kft_page_mend(&l, page, 26, sizeof(page)));
	assert_int_equal(kft_ring_page_open(&l, page, sizeof(page), &p), 0);
	assert_false(p.cut);
	assert_int_equal(p.end - p.pos, 8);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(wherever_it_is_torn_whole_events_stay),
	cmocka_unit_test(a_page_that_is_whole_stays_as_it_is),
	cmocka_unit_test(lost_events_are_still_told),
	cmocka_unit_test(pages_of_other_machines),
};

T_MAIN(tests)
