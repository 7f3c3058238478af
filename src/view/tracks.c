// SPDX-License-Identifier: LGPL-2.1-or-later
/* Assigns items to tracks so that they never overlap. */
#include "view/tracks.h"

#include <errno.h>

/* Limit for broken traces. */
#define TRACKS_MAX (1U << 20)
#define SLOTS_MAX  256

void kft_view_tracks_finish(struct kft_view_tracks *l)
{
	kft_map_finish(&l->by_hash);
	kft_vec_finish(&l->list);
}

static bool is_same(const struct kft_view_track *a, const struct kft_view_track *b)
{
	return a->kind == b->kind && a->slot == b->slot && a->owner == b->owner &&
	       a->id == b->id && a->key == b->key;
}

static uint64_t hash(const struct kft_view_track *l)
{
	const uint64_t words[] = {
		(uint64_t)l->kind << 32 | (uint64_t)l->slot << 16 | l->owner,
		(uint64_t)(uint32_t)l->id << 32 | l->key,
	};

	return kft_hash_words(words, ARRAY_SIZE(words));
}

/* Finds or adds a track; tracks with the same hash are in consecutive slots. */
static int find_or_add(struct kft_view_tracks *l, const struct kft_view_track *wanted,
		       uint32_t *ret)
{
	for (uint64_t h = hash(wanted);; h++) {
		uint64_t *slot = kft_map_put(&l->by_hash, h);

		if (!slot)
			return -ENOMEM;
		if (!*slot) {
			if (l->list.len >= TRACKS_MAX)
				return -E2BIG;
			if (!kft_vec_push(&l->list, *wanted))
				return -ENOMEM;
			*slot = l->list.len;
		}
		if (is_same(&l->list.data[*slot - 1], wanted)) {
			*ret = *slot - 1;
			return 0;
		}
	}
}

int kft_view_tracks_put(struct kft_view_tracks *l, const struct kft_view_track *wanted,
			struct kft_view_item *item)
{
	struct kft_view_track track = *wanted;

	bool is_cut = item->flags & (KFT_INTERVAL_BEGUN_BEFORE | KFT_INTERVAL_NOT_ENDED);
	uint32_t slots = is_cut ? track.slot + 1U : SLOTS_MAX;

	track.end_ns = 0;
	for (; track.slot < slots; track.slot++) {
		int r = find_or_add(l, &track, &item->track);

		if (r < 0)
			return r;
		struct kft_view_track *found = &l->list.data[item->track];
		if (item->flags & KFT_INTERVAL_BEGUN_BEFORE &&
		    found->end_ns <= item->end_ns)
			item->begin_ns = KFT_MAX(item->begin_ns, found->end_ns);
		if (found->end_ns > item->begin_ns)
			continue;
		found->end_ns = item->end_ns;
		return 0;
	}
	return -E2BIG;
}
