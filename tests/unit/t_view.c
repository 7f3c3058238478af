// SPDX-License-Identifier: GPL-2.0-only
/* Pages of traces: tracks, levels of detail, and items that are left out of a page. */
#include "t.h"

#include "view/columns.h"
#include "view/tracks.h"
#include "view/pyramid.h"

static void test_varint(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_view_varint(&sb, 0);
	kft_view_varint(&sb, 127);
	kft_view_varint(&sb, 128);
	kft_view_varint(&sb, UINT64_MAX);
	assert_int_equal(sb.len, 1 + 1 + 2 + 10);
	assert_memory_equal(sb.buf, "\x00\x7f\x80\x01\xff", 5);
	assert_int_equal((uint8_t)sb.buf[13], 1);
}

static uint32_t track_at(struct kft_view_tracks *l, int slot, uint64_t begin,
			 uint64_t end)
{
	const struct kft_view_track wanted = {
		.kind = 3, .slot = slot, .owner = KFT_VIEW_OF_TASK, .id = 7};
	struct kft_view_item item = {.begin_ns = begin, .end_ns = end};

	assert_int_equal(kft_view_tracks_put(l, &wanted, &item), 0);
	assert_int_equal(item.begin_ns, begin);
	return item.track;
}

static void test_tracks_never_overlap(void **state)
{
	_cleanup_(kft_view_tracks_finish) struct kft_view_tracks l = {};
	uint32_t first = track_at(&l, 0, 0, 10);

	/* An interval that begins at the end of another one fits into the same track. */
	assert_int_equal(track_at(&l, 0, 10, 20), first);
	uint32_t second = track_at(&l, 0, 15, 25);
	assert_int_not_equal(second, first);
	assert_int_equal(l.list.data[second].slot, 1);
	assert_int_equal(track_at(&l, 0, 20, 30), first);
	assert_int_not_equal(track_at(&l, 2, 30, 40), second);
}

static void test_unseen_beginning(void **state)
{
	_cleanup_(kft_view_tracks_finish) struct kft_view_tracks l = {};
	const struct kft_view_track wanted = {
		.kind = 3, .owner = KFT_VIEW_OF_TASK, .id = 7};
	struct kft_view_item item = {.end_ns = 30, .flags = KFT_INTERVAL_BEGUN_BEFORE};
	uint32_t first = track_at(&l, 0, 5, 20);

	assert_int_equal(kft_view_tracks_put(&l, &wanted, &item), 0);
	assert_int_equal(item.track, first);
	assert_int_equal(item.begin_ns, 20);
}

/* Items in n tracks by turns, each a thousand long with a gap of a hundred. */
static void add_items(struct kft_view_pyramid *p, uint32_t n_tracks, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		const struct kft_view_item item = {
			.track = i % n_tracks,
			.key = i % 5,
			.begin_ns = i / n_tracks * 1100,
			.end_ns = i / n_tracks * 1100 + 1000,
			.value = KFT_INTERVAL_NO_VALUE,
		};

		assert_int_equal(kft_view_pyramid_add(p, &item, "x", 1), 0);
	}
	assert_int_equal(kft_view_pyramid_end(p), 0);
}

static void check_levels(uint32_t n_tracks, uint64_t count)
{
	_cleanup_(kft_view_chunks_finish) struct kft_view_chunks chunks = {.fd = -1};
	_cleanup_(kft_view_pyramid_finish) struct kft_view_pyramid p = {
		.chunks = &chunks};
	uint64_t items[KFT_VIEW_LEVELS] = {};
	unsigned int top = 0;

	assert_int_equal(kft_view_chunks_init(&chunks, NULL), 0);
	add_items(&p, n_tracks, count);
	kft_vec_for_each(&chunks.list, c) {
		items[c->level] += c->items;
		top = KFT_MAX(top, (unsigned int)c->level);
	}
	/* All are at level 0, and the root is alone at the top and the last one. */
	assert_int_equal(items[0], count);
	assert_int_equal(chunks.list.data[chunks.list.len - 1].level, top);
	assert_int_equal(chunks.list.data[chunks.list.len - 1].items, items[top]);
	for (unsigned int level = 1; level <= top; level++)
		assert_true(items[level] < items[level - 1] / 4);
}

static void test_levels(void **state)
{
	check_levels(1, 1);
	check_levels(3, 1000);
	check_levels(3, 32768);
	check_levels(40, 300000);
}

/* No level can join items of two tracks: the search for one has to end all the same. */
static void test_levels_of_all_stamps(void **state)
{
	_cleanup_(kft_view_chunks_finish) struct kft_view_chunks chunks = {.fd = -1};
	_cleanup_(kft_view_pyramid_finish) struct kft_view_pyramid p = {
		.chunks = &chunks};
	const struct kft_view_item first = {.end_ns = 1000};
	const struct kft_view_item last = {
		.track = 1, .begin_ns = UINT64_MAX - 1000, .end_ns = UINT64_MAX - 1};

	assert_int_equal(kft_view_chunks_init(&chunks, NULL), 0);
	assert_int_equal(kft_view_pyramid_add(&p, &first, "", 0), 0);
	assert_int_equal(kft_view_pyramid_add(&p, &last, "", 0), 0);
	p.levels[1].chunks = 1; /* so that the level below is raised, too */
	assert_int_equal(kft_view_pyramid_end(&p), 0);
	assert_true(chunks.list.len > 0);
	assert_int_equal(chunks.list.data[0].end_ns, UINT64_MAX - 1);
}

static void test_no_items(void **state)
{
	_cleanup_(kft_view_chunks_finish) struct kft_view_chunks chunks = {.fd = -1};
	_cleanup_(kft_view_pyramid_finish) struct kft_view_pyramid p = {
		.chunks = &chunks};

	assert_int_equal(kft_view_chunks_init(&chunks, NULL), 0);
	assert_int_equal(kft_view_pyramid_end(&p), 0);
	assert_int_equal(chunks.list.len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_varint),
		cmocka_unit_test(test_tracks_never_overlap),
		cmocka_unit_test(test_unseen_beginning),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_levels_of_all_stamps),
		cmocka_unit_test(test_no_items),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
