// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "base/strbuf.h"
#include "decode/ring.h"
#include "model/page_build.h"

#define PAGE_SIZE 256

/* A page builder and the pages that it made. */
struct built {
	struct kft_page_builder builder;
	struct kft_strbuf pages;
	bool big;
	uint32_t long_size;
};

static int keep(void *arg, const void *page, size_t size)
{
	struct built *b = arg;

	kft_strbuf_add(&b->pages, page, size);
	return kft_strbuf_ok(&b->pages) ? 0 : -ENOMEM;
}

static void begin(struct built *b, bool big, uint32_t long_size)
{
	*b = (struct built){.big = big, .long_size = long_size};
	assert_int_equal(kft_page_builder_init(&b->builder, PAGE_SIZE, big, long_size),
			 0);
	b->builder.flush = keep;
	b->builder.arg = b;
}

static void add(struct built *b, uint64_t ts, uint32_t size, uint64_t lost)
{
	uint8_t data[PAGE_SIZE];

	for (uint32_t i = 0; i < size; i++)
		data[i] = (uint8_t)(ts + i);
	assert_int_equal(kft_page_builder_add(&b->builder, ts, data, size, lost), 0);
}

/* Decodes the pages with the reader of ring buffers: "page LOST: TS/SIZE ..." for each. */
static void assert_pages(struct built *b, const char *expected)
{
	struct kft_ring_layout l = kft_ring_layout_default(b->big, b->long_size);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(kft_page_builder_end(&b->builder), 0);
	assert_int_equal(b->pages.len % PAGE_SIZE, 0);
	for (size_t at = 0; at < b->pages.len; at += PAGE_SIZE) {
		struct kft_ring_page p;
		const uint8_t *data;
		uint32_t size;
		int r;

		assert_int_equal(kft_ring_page_open(&l, (uint8_t *)b->pages.buf + at,
						    PAGE_SIZE, &p),
				 0);
		assert_false(p.cut);
		kft_strbuf_addf(&sb, "page %lld:", (long long)p.lost);
		while ((r = kft_ring_next(&p, b->big, &data, &size)) > 0) {
			kft_strbuf_addf(&sb, " %llu/%u", (unsigned long long)p.ts, size);
			assert_int_equal(data[0], (uint8_t)p.ts);
			assert_int_equal(data[1], (uint8_t)(p.ts + 1));
		}
		assert_int_equal(r, 0);
		kft_strbuf_addc(&sb, '\n');
	}
	assert_string_equal(kft_strbuf_cstr(&sb), expected);
	kft_strbuf_finish(&b->pages);
	kft_page_builder_finish(&b->builder);
}

static void every_layout(void **state)
{
	for (int i = 0; i < 4; i++) {
		struct built b;

		begin(&b, i & 1, i & 2 ? 4 : 8);
		add(&b, 1000, 8, 0);
		add(&b, 1000, 40, 0);
		add(&b, 1500, 112, 0);
		assert_pages(&b, "page 0: 1000/8 1000/40 1500/112\n");
	}
}

/* Records that are no multiple of 4 bytes come back filled up. */
static void lengths(void **state)
{
	struct built b;

	begin(&b, false, 8);
	add(&b, 1, 5, 0);
	add(&b, 2, 116, 0);
	add(&b, 3, 221, 0);
	assert_pages(&b, "page 0: 1/8 2/116\npage 0: 3/221\n");
	begin(&b, false, 8);
	assert_int_equal(kft_page_builder_add(&b.builder, 1, "", PAGE_SIZE - 16, 0),
			 -EMSGSIZE);
	assert_int_equal(kft_page_builder_add(&b.builder, 1, "", UINT32_MAX, 0),
			 -EMSGSIZE);
	assert_pages(&b, "");
}

static void times(void **state)
{
	struct built b;
	uint64_t far = (UINT64_C(1) << 59) + 5;

	begin(&b, false, 8);
	add(&b, 5, 4, 0);
	add(&b, 5 + (1u << 27) - 1, 4, 0);
	add(&b, 5 + (UINT64_C(1) << 28) - 1, 4, 0);
	add(&b, UINT64_C(1) << 58, 4, 0);
	add(&b, 7, 4, 0);
	add(&b, 7 + far, 4, 0);
	assert_pages(&b, "page 0: 5/4 134217732/4 268435460/4 288230376151711744/4\n"
			 "page 0: 7/4\n"
			 "page 0: 576460752303423500/4\n");
}

static void losses(void **state)
{
	struct built b;

	begin(&b, true, 8);
	add(&b, 1, 4, 0);
	add(&b, 2, 4, 17);
	add(&b, 3, 4, KFT_LOST_UNKNOWN);
	add(&b, 4, 220, 5);
	assert_pages(&b, "page 0: 1/4\npage 17: 2/4\npage -1: 3/4\npage 5: 4/220\n");
	begin(&b, true, 8);
	/* The count behind the records keeps its room when a record could have it. */
	add(&b, 4, 108, 5);
	add(&b, UINT64_C(1) << 40, 109, 0);
	assert_pages(&b, "page 5: 4/108\npage 0: 1099511627776/112\n");
	begin(&b, true, 8);
	add(&b, 4, 221, 5);
	assert_pages(&b, "page 5: 4/221\n");
}

static void pages_fill_up(void **state)
{
	struct built b;
	size_t n = 0;

	begin(&b, false, 8);
	for (uint64_t ts = 1; ts <= 1000; ts++)
		add(&b, ts, 20, 0);
	assert_int_equal(kft_page_builder_end(&b.builder), 0);
	/* 10 records of 24 bytes fill 240; a record may need 16 more for its time. */
	n = b.pages.len / PAGE_SIZE;
	assert_in_range(n, 100, 125);
	kft_strbuf_finish(&b.pages);
	kft_page_builder_finish(&b.builder);
}

static int full_disk(void *arg, const void *page, size_t size)
{
	return -ENOSPC;
}

static void a_full_disk_is_handed_on(void **state)
{
	struct built b;

	begin(&b, false, 8);
	b.builder.flush = full_disk;
	add(&b, 1, 4, 0);
	assert_int_equal(kft_page_builder_end(&b.builder), -ENOSPC);
	kft_page_builder_finish(&b.builder);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_layout),	 cmocka_unit_test(lengths),
	cmocka_unit_test(times),	 cmocka_unit_test(losses),
	cmocka_unit_test(pages_fill_up), cmocka_unit_test(a_full_disk_is_handed_on),
};

T_MAIN(tests)
