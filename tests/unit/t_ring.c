// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

#include "decode/ring.h"

#define PAGE   512
#define MISSED (1u << 31)
#define STORED (1u << 30)

static const struct {
	bool big;
	unsigned int long_size;
} kinds[] = {{false, 8}, {false, 4}, {true, 8}, {true, 4}};

struct result {
	struct kft_event evs[64];
	size_t n;
	int r;
	struct kft_ring_page page;
};

static struct result read_bytes(const struct t_page *p, size_t size,
				const uint64_t *wanted)
{
	struct kft_ring_layout l = kft_ring_layout_default(p->big, p->long_size);
	struct result res = {};
	/* A copy that ends where the page ends, for the address sanitizer to watch. */
	_cleanup_free_ uint8_t *copy = malloc(size ? size : 1);

	assert_non_null(copy);
	memcpy(copy, p->bytes.buf, size);
	int r = kft_ring_page_open(&l, copy, size, &res.page);
	if (r < 0) {
		res.r = r;
		return res;
	}
	do {
		size_t n;

		res.r = kft_ring_read(&res.page, p->big, wanted,
				      &(struct kft_event){.cpu = 3, .buffer = 2},
				      res.evs + res.n, 3, &n);
		res.n += n;
	} while (res.r == 1 && res.n <= 61);
	return res;
}

static void every_record_type_is_read(void **state)
{
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		struct t_page p = {};

		t_page_start(&p, kinds[k].big, kinds[k].long_size, 1000);
		t_page_data(&p, 1, 0, 11);
		t_page_data(&p, 28, 5, 12);
		t_page_long(&p, 126, 7, 13);
		t_page_time(&p, 30, (UINT64_C(1) << 40) + 3);
		t_page_data(&p, 2, 1, 14);
		t_page_time(&p, 31, 77777777777);
		t_page_data(&p, 2, 0, 15);
		/* A discarded record of 12 bytes, then the rest of the page. */
		t_page_word(&p, 29, 100);
		t_put(&p.bytes, p.big, 8, 4);
		t_put(&p.bytes, p.big, 0x21, 4);
		t_page_data(&p, 3, 1, 0xfffe);
		t_page_word(&p, 29, 0);
		t_put(&p.bytes, p.big, 0x21, 4);
		t_page_end(&p, PAGE, 0);

		struct result res = read_bytes(&p, PAGE, NULL);
		static const uint64_t ts[] = {1000,	   1005,
					      1012,	   1012 + (UINT64_C(1) << 40) + 4,
					      77777777777, 77777777777 + 101};
		static const uint16_t ids[] = {11, 12, 13, 14, 15, 0xfffe};
		static const uint32_t sizes[] = {4, 112, 126, 8, 8, 12};
		assert_int_equal(res.r, 0);
		assert_int_equal(res.n, ARRAY_SIZE(ts));
		for (size_t i = 0; i < res.n; i++) {
			assert_int_equal(res.evs[i].ts, ts[i]);
			assert_int_equal(res.evs[i].id, ids[i]);
			assert_int_equal(res.evs[i].size, sizes[i]);
			assert_int_equal(res.evs[i].cpu, 3);
			assert_int_equal(res.evs[i].buffer, 2);
			assert_int_equal(res.evs[i].lost_before, 0);
		}
		t_page_finish(&p);
	}
}

static void data_is_borrowed_from_the_page(void **state)
{
	struct kft_ring_layout l = kft_ring_layout_default(false, 8);
	struct t_page p = {};
	struct kft_ring_page page;
	const uint8_t *data;
	uint32_t size;

	t_page_start(&p, false, 8, 1);
	t_page_data(&p, 2, 0, 0x0201);
	t_page_end(&p, PAGE, 0);
	assert_int_equal(kft_ring_page_open(&l, (uint8_t *)p.bytes.buf, PAGE, &page), 0);
	assert_int_equal(kft_ring_next(&page, false, &data, &size), 1);
	assert_ptr_equal(data, p.bytes.buf + 20);
	assert_memory_equal(data, "\x01\x02\x02\x03\x04\x05\x06\x07", size);
	t_page_finish(&p);
}

static void absolute_stamps_take_the_top_bits_of_the_time_before(void **state)
{
	struct t_page p = {};
	uint64_t base = UINT64_C(3) << 59 | 500;

	t_page_start(&p, false, 8, base);
	t_page_time(&p, 31, 600);
	t_page_data(&p, 1, 0, 1);
	/* 59 bits wrapped: the kernel's rb_fix_abs_ts() carries into the top ones. */
	t_page_time(&p, 31, 400);
	t_page_data(&p, 1, 0, 1);
	t_page_end(&p, PAGE, 0);
	struct result res = read_bytes(&p, PAGE, NULL);
	assert_int_equal(res.n, 2);
	assert_int_equal(res.evs[0].ts, base + 100);
	assert_int_equal(res.evs[1].ts, (UINT64_C(4) << 59) + 400);
	t_page_finish(&p);
}

static uint64_t lost_of(unsigned int kind, uint32_t flags, uint64_t stored,
			size_t page_size)
{
	struct t_page p = {};

	t_page_start(&p, kinds[kind].big, kinds[kind].long_size, 1);
	t_page_data(&p, 2, 0, 1);
	t_page_data(&p, 2, 0, 1);
	size_t end = p.bytes.len;
	t_page_end(&p, page_size, flags);
	if (end + p.long_size <= page_size)
		t_patch(&p.bytes, end, p.big, stored, p.long_size);
	struct result res = read_bytes(&p, page_size, NULL);
	assert_int_equal(res.n, 2);
	assert_int_equal(res.evs[1].lost_before, 0);
	t_page_finish(&p);
	return res.evs[0].lost_before;
}

static void lost_events_are_marked_on_the_first_event(void **state)
{
	for (unsigned int k = 0; k < ARRAY_SIZE(kinds); k++) {
		assert_int_equal(lost_of(k, 0, 5, PAGE), 0);
		assert_true(lost_of(k, MISSED, 5, PAGE) == KFT_LOST_UNKNOWN);
		assert_int_equal(lost_of(k, MISSED | STORED, 123456, PAGE), 123456);
		assert_true(lost_of(k, MISSED | STORED, 0, PAGE) == KFT_LOST_UNKNOWN);
		/* This page has no room for the count of lost events. */
		assert_true(lost_of(k, MISSED | STORED, 9, 31 + 2 * kinds[k].long_size) ==
			    KFT_LOST_UNKNOWN);
	}
}

static void unwanted_ids_are_skipped_and_pass_the_loss_on(void **state)
{
	uint64_t wanted[1024] = {[1] = 2};
	struct t_page p = {};

	t_page_start(&p, false, 8, 10);
	t_page_data(&p, 2, 0, 64);
	t_page_data(&p, 2, 3, 65);
	t_page_data(&p, 2, 4, 66);
	t_page_end(&p, PAGE, MISSED);
	struct result res = read_bytes(&p, PAGE, wanted);
	assert_int_equal(res.n, 1);
	assert_int_equal(res.evs[0].ts, 13);
	assert_true(res.evs[0].lost_before == KFT_LOST_UNKNOWN);
	wanted[1] = 0;
	res = read_bytes(&p, PAGE, wanted);
	assert_int_equal(res.n, 0);
	assert_true(res.page.lost == KFT_LOST_UNKNOWN);
	t_page_finish(&p);
}

/* A page cut at any byte gives the records that are whole, and never more. */
static void a_page_can_be_cut_anywhere(void **state)
{
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		struct t_page p = {};
		size_t ends[4];

		t_page_start(&p, kinds[k].big, kinds[k].long_size, 1);
		t_page_data(&p, 2, 1, 1);
		ends[0] = p.bytes.len;
		t_page_long(&p, 200, 1, 2);
		ends[1] = p.bytes.len;
		t_page_time(&p, 30, 5);
		t_page_data(&p, 5, 1, 3);
		ends[2] = p.bytes.len;
		t_page_end(&p, PAGE, 0);
		for (size_t size = 0; size <= PAGE; size++) {
			struct result res = read_bytes(&p, size, NULL);
			size_t whole = 0;

			while (whole < 3 && size >= ends[whole])
				whole++;
			assert_int_equal(res.n, whole);
			assert_int_equal(res.page.cut,
					 size >= t_page_header(&p) && size < ends[2]);
			if (size < t_page_header(&p))
				assert_int_equal(res.r, -ENODATA);
			else if (size >= ends[2])
				assert_int_equal(res.r, 0);
		}
		t_page_finish(&p);
	}
}

static void records_that_run_past_the_end_are_refused(void **state)
{
	struct t_page p = {};

	static const struct {
		uint32_t type;
		uint32_t word;
	} bad[] = {{28, 0}, {0, 4000}, {0, 0xffffffff}, {0, 0},		 {0, 3},
		   {0, 4},  {0, 5},    {29, 4000},	{29, 0xfffffffc}};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		t_page_start(&p, false, 8, 1);
		t_page_data(&p, 2, 0, 1);
		t_page_word(&p, bad[i].type, 1);
		t_put(&p.bytes, false, bad[i].word, 4);
		t_page_end(&p, PAGE, 0);
		struct result res = read_bytes(&p, PAGE, NULL);
		assert_int_equal(res.n, 1);
		assert_int_equal(res.r, -EBADMSG);
	}
	t_page_finish(&p);
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

#define RANDOM_PAGE 4096

/* All kinds of records; some pages are empty, some end in a record cut off. */
static void random_page(struct t_page *p, bool big, unsigned int long_size,
			uint32_t *seed)
{
	uint32_t room = next_random(seed) % 3 ? RANDOM_PAGE - 300 : 16;

	t_page_start(p, big, long_size, next_random(seed));
	while (p->bytes.len < room) {
		uint32_t dice = next_random(seed) % 100;
		uint16_t id = dice < 90 ? dice % 7 : next_random(seed) * 31;
		uint32_t delta = next_random(seed) % 1000;

		if (dice < 90)
			t_page_data(p, 1 + next_random(seed) % 28, delta, id);
		else if (dice < 94)
			t_page_long(p, 113 + next_random(seed) % 90, delta, id);
		else if (dice < 97)
			t_page_time(p, 30, next_random(seed));
		else if (dice < 98)
			/* An absolute time may also go back. */
			t_page_time(p, 31, next_random(seed));
		else if (dice < 99)
			t_page_data(p, 1, delta, UINT16_MAX);
	}
	t_page_end(p, RANDOM_PAGE, 0);
	/* The last word is of a record that goes on behind the end. */
	if (next_random(seed) % 5 == 0)
		t_patch(&p->bytes, 8, big, p->bytes.len - t_page_header(p), long_size);
}

#define COUNTED_PAGES 9

/* Reads the pages in order and subtracts their events from the counts. */
static void take_from_counts(const struct kft_ring_page *pages,
			     const struct kft_ring_counted *counted, bool big,
			     struct kft_counts *c)
{
	for (size_t i = 0; i < COUNTED_PAGES; i++) {
		struct kft_ring_page page = pages[i];
		uint64_t first = UINT64_MAX;
		uint64_t last = 0;
		struct kft_event ev;
		size_t n;
		int r;

		while ((r = kft_ring_read(&page, big, NULL, &(struct kft_event){}, &ev, 1,
					  &n)) >= 0 &&
		       n) {
			uint64_t *count = ev.id < KFT_COUNTS_LOW ? &c->low[0][ev.id]
								 : &c->high[ev.id];

			*count -= 1;
			first = KFT_MIN(first, ev.ts);
			last = KFT_MAX(last, ev.ts);
		}
		assert_int_equal(counted[i].r, r);
		assert_int_equal(counted[i].first, first);
		assert_int_equal(counted[i].last, last);
		assert_ptr_equal(counted[i].page.pos, page.pos);
	}
}

static void counting_comes_to_what_reading_gives(void **state)
{
	uint32_t seed = 20;

	for (size_t k = 0; k < 400; k++) {
		_cleanup_(kft_counts_destroyp) struct kft_counts *c = kft_counts_create();
		bool big = kinds[k % 4].big;
		unsigned int long_size = kinds[k % 4].long_size;
		struct kft_ring_layout l = kft_ring_layout_default(big, long_size);
		struct kft_ring_counted counted[COUNTED_PAGES] = {};
		struct kft_ring_page opened[COUNTED_PAGES];
		struct t_page pages[COUNTED_PAGES] = {};

		assert_non_null(c);
		for (size_t i = 0; i < COUNTED_PAGES; i++) {
			random_page(&pages[i], big, long_size, &seed);
			assert_int_equal(
				kft_ring_page_open(&l, (uint8_t *)pages[i].bytes.buf,
						   RANDOM_PAGE, &counted[i].page),
				0);
			opened[i] = counted[i].page;
		}
		assert_int_equal(kft_ring_count(counted, COUNTED_PAGES, big, c), 0);
		take_from_counts(opened, counted, big, c);
		for (uint32_t id = 0; id <= UINT16_MAX; id++)
			assert_int_equal(kft_counts_of(c, id), 0);
		for (size_t i = 0; i < COUNTED_PAGES; i++)
			t_page_finish(&pages[i]);
	}
}

static void the_layout_comes_from_header_page(void **state)
{
	static const char text64[] =
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
	static const char text32[] =
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield: char data;\toffset:12;\tsize:4084;\tsigned:1;";
	struct kft_ring_layout l;

	assert_int_equal(kft_ring_layout_parse(text64, sizeof(text64) - 1, true, &l), 0);
	assert_true(l.big_endian);
	assert_int_equal(l.commit_size, 8);
	assert_int_equal(l.data_offset, 16);
	assert_int_equal(kft_ring_layout_parse(text32, sizeof(text32) - 1, false, &l), 0);
	assert_int_equal(l.commit_size, 4);
	assert_int_equal(l.data_offset, 12);
	/* A text that is cut before the end of the data's size is refused. */
	for (size_t len = 0; len < sizeof(text32) - sizeof("4;\tsigned:1;") - 2; len++)
		assert_int_equal(kft_ring_layout_parse(text32, len, false, &l), -EINVAL);
}

static void other_layouts_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"field: u64 timestamp; offset:0; size:4;\n"
		"field: local_t commit; offset:8; size:8;\nfield: char data; offset:16; size:1;",
		"field: u64 timestamp; offset:0; size:8;\n"
		"field: local_t commit; offset:8; size:2;\nfield: char data; offset:10; size:1;",
		"field: u64 timestamp; offset:0; size:8;\n"
		"field: local_t commit; offset:4000000000; size:8;\n"
		"field: char data; offset:4000000008; size:1;",
		"field: u64 timestamp; offset:0; size:8;\n"
		"field: local_t commit; offset:8; size:8;\n"
		"field: char data; offset:99999999999999999; size:1;",
	};
	struct kft_ring_layout l;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(kft_ring_layout_parse(bad[i], strlen(bad[i]), false, &l),
				 -EINVAL);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_record_type_is_read),
	cmocka_unit_test(data_is_borrowed_from_the_page),
	cmocka_unit_test(absolute_stamps_take_the_top_bits_of_the_time_before),
	cmocka_unit_test(lost_events_are_marked_on_the_first_event),
	cmocka_unit_test(unwanted_ids_are_skipped_and_pass_the_loss_on),
	cmocka_unit_test(a_page_can_be_cut_anywhere),
	cmocka_unit_test(records_that_run_past_the_end_are_refused),
	cmocka_unit_test(counting_comes_to_what_reading_gives),
	cmocka_unit_test(the_layout_comes_from_header_page),
	cmocka_unit_test(other_layouts_are_refused),
};

T_MAIN(tests)
