// SPDX-License-Identifier: LGPL-2.1-or-later
/* Values of curves over time. */
#include "view/series.h"

#include <errno.h>
#include <string.h>

/* Limit of the number of curves, more than a user can compare. */
#define SERIES_MAX 256

void kft_view_series_finish(struct kft_view_series *s)
{
	kft_map_finish(&s->by_hash);
	kft_vec_finish(&s->list);
}

static bool is_same(const struct kft_view_one_series *a, uint32_t counter,
		    const uint64_t by[KFT_VIEW_SERIES_BY])
{
	return a->counter == counter && memcmp(a->by, by, sizeof(a->by)) == 0;
}

/*
 * Finds or adds a series: *ret is its index + 1; 0: beyond the limit. Series with the
 * same hash are in consecutive slots.
 */
static int find_or_add(struct kft_view_series *s, uint32_t counter,
		       const uint64_t by[KFT_VIEW_SERIES_BY], bool *ret_is_new,
		       uint32_t *ret)
{
	const uint64_t words[] = {counter, by[0], by[1]};
	struct kft_view_one_series fresh = {.counter = counter};

	memcpy(fresh.by, by, sizeof(fresh.by));
	*ret_is_new = false;
	for (uint64_t h = kft_hash_words(words, ARRAY_SIZE(words));; h++) {
		uint64_t *slot = kft_map_get(&s->by_hash, h);

		if (slot && is_same(&s->list.data[*slot - 1], counter, by)) {
			*ret = (uint32_t)*slot;
			return 0;
		}
		if (slot)
			continue;
		*ret = 0;
		if (s->list.len == SERIES_MAX)
			return 0;
		slot = kft_map_put(&s->by_hash, h);
		if (!slot || !kft_vec_push(&s->list, fresh))
			return -ENOMEM;
		*slot = *ret = (uint32_t)s->list.len;
		*ret_is_new = true;
		return 0;
	}
}

static int end(struct kft_view_series *s, uint32_t number, uint64_t ts)
{
	const struct kft_view_one_series *one = &s->list.data[number];
	const struct kft_view_step step = {
		.series = number,
		.begin_ns = one->since_ns,
		.end_ns = KFT_MAX(ts, one->since_ns),
		.value = one->value,
	};

	return s->take(s->arg, &step);
}

int kft_view_series_set(struct kft_view_series *s, uint32_t counter,
			const uint64_t by[KFT_VIEW_SERIES_BY], uint64_t ts, int64_t value)
{
	bool is_new;
	uint32_t number;
	int r = find_or_add(s, counter, by, &is_new, &number);

	if (r < 0)
		return r;
	if (!number) {
		s->left_out++;
		return 0;
	}
	struct kft_view_one_series *one = &s->list.data[number - 1];

	if (!is_new && one->value == value)
		return 0;
	if (!is_new)
		r = end(s, number - 1, ts);
	one->low = is_new ? value : KFT_MIN(one->low, value);
	one->high = is_new ? value : KFT_MAX(one->high, value);
	one->since_ns = ts;
	one->value = value;
	return r;
}

int kft_view_series_end(struct kft_view_series *s, uint64_t ts)
{
	int r = 0;

	for (uint32_t i = 0; i < s->list.len && !r; i++)
		r = end(s, i, ts);
	return r;
}
