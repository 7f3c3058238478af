// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps the file offsets of each CPU's records in a perf.data file. */
#include "file/perf/blocks.h"

#include <errno.h>

void kft_perf_blocks_finish(struct kft_perf_blocks *bs)
{
	kft_vec_finish(&bs->list);
	kft_vec_finish(&bs->groups);
}

static struct kft_perf_block *last(const struct kft_perf_blocks *bs)
{
	return bs->list.len ? &bs->list.data[bs->list.len - 1] : NULL;
}

static int add_block(struct kft_perf_blocks *bs, uint64_t offset, uint32_t bytes,
		     uint64_t ts)
{
	const struct kft_perf_block *before = last(bs);
	struct kft_perf_block b = {
		.offset = offset, .bytes = bytes, .min = ts, .max = ts};

	if (before)
		b.max = KFT_MAX(b.max, before->max);
	if (!kft_vec_reserve(&bs->groups, 1) || !kft_vec_push(&bs->list, b))
		return -ENOMEM;
	(void)kft_vec_push(&bs->groups, bs->list.len - 1);
	return 0;
}

/* Joins the last group with the groups before it that reach beyond time ts. */
static void join_groups(struct kft_perf_blocks *bs, uint64_t ts)
{
	while (bs->groups.len > 1) {
		uint32_t first = bs->groups.data[bs->groups.len - 1];

		if (bs->list.data[first - 1].max <= ts)
			return;
		bs->list.data[first].joined = true;
		bs->groups.len--;
	}
}

int kft_perf_blocks_add(struct kft_perf_blocks *bs, uint64_t offset, uint32_t bytes,
			bool contiguous, uint64_t ts)
{
	struct kft_perf_block *b = last(bs);
	uint64_t end = offset + bytes;

	if (!b || !contiguous || end - b->offset > KFT_PERF_BLOCK_BYTES) {
		int r = add_block(bs, offset, bytes, ts);

		if (r == 0)
			join_groups(bs, ts);
		return r;
	}
	b->bytes = end - b->offset;
	if (likely(ts >= b->max)) {
		b->max = ts;
		return 0;
	}
	b->unsorted = true;
	b->min = KFT_MIN(b->min, ts);
	join_groups(bs, ts);
	return 0;
}

int kft_perf_blocks_append(struct kft_perf_blocks *bs,
			   const struct kft_perf_blocks *later)
{
	kft_vec_for_each(&later->list, b) {
		uint64_t before = bs->list.len ? last(bs)->max : 0;
		struct kft_perf_block copy = *b;

		copy.max = KFT_MAX(copy.max, before);
		if (!kft_vec_reserve(&bs->groups, 1) || !kft_vec_push(&bs->list, copy))
			return -ENOMEM;
		if (!b->joined)
			(void)kft_vec_push(&bs->groups, bs->list.len - 1);
		join_groups(bs, b->min);
	}
	return 0;
}

static bool can_merge(const struct kft_perf_block *a, const struct kft_perf_block *b,
		      uint32_t span)
{
	return b->offset + b->bytes - a->offset <= span;
}

void kft_perf_blocks_thin(struct kft_perf_blocks *bs, uint32_t span)
{
	size_t n = 0;

	bs->groups.len = 0;
	for (size_t i = 0; i < bs->list.len; i++) {
		struct kft_perf_block *b = &bs->list.data[i];
		struct kft_perf_block *a = n ? &bs->list.data[n - 1] : NULL;

		if (a && can_merge(a, b, span)) {
			a->bytes = b->offset + b->bytes - a->offset;
			a->unsorted = a->unsorted || b->unsorted || b->joined;
			a->min = KFT_MIN(a->min, b->min);
			a->max = b->max;
			continue;
		}
		bs->list.data[n++] = *b;
		/*
		 * The push cannot fail: groups had room for one entry per block before.
		 */
		if (!b->joined)
			bs->groups.data[bs->groups.len++] = n - 1;
	}
	bs->list.len = n;
}

size_t kft_perf_blocks_group_end(const struct kft_perf_blocks *bs, size_t first)
{
	size_t end = first + 1;

	while (end < bs->list.len && bs->list.data[end].joined)
		end++;
	return end;
}

size_t kft_perf_blocks_find(const struct kft_perf_blocks *bs, uint64_t since)
{
	size_t lo = 0;
	size_t hi = bs->groups.len;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		size_t end = mid + 1 < bs->groups.len ? bs->groups.data[mid + 1]
						      : bs->list.len;

		if (bs->list.data[end - 1].max < since)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
