/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "view/item.h"

/*
 * Tracks of items: items in a track never overlap. Rows of a page consist of tracks, so that
 * an interrupt is visible both on its CPU and together with others of its number.
 */
enum kft_view_owner {
	KFT_VIEW_OF_NONE,
	KFT_VIEW_OF_CPU,
	KFT_VIEW_OF_TASK,
};

#define KFT_VIEW_ANY_KEY UINT32_MAX /* the track holds items of all keys */

struct kft_view_track {
	uint16_t kind; /* number of the kind */
	uint16_t slot; /* distinguishes parallel tracks for nested or overlapping items */
	uint8_t owner; /* enum kft_view_owner */
	int32_t id; /* the CPU or the pid */
	uint32_t key;
	uint64_t end_ns; /* end of its last item */
};

struct kft_view_tracks {
	struct kft_map by_hash; /* maps a hash to index + 1 */
	KFT_VEC(struct kft_view_track) list;
};

void kft_view_tracks_finish(struct kft_view_tracks *l);

/*
 * Finds the track for an item and sets its number in it: a track like wanted, in its slot
 * or the next free one. An item without a begin starts after the track's last item; an
 * item without an end does not fit if later items are there. -ENOMEM; -E2BIG when it
 * does not fit, or above the limits of overlapping items and tracks.
 */
int kft_view_tracks_put(struct kft_view_tracks *l, const struct kft_view_track *wanted,
			struct kft_view_item *item) __must_check;
