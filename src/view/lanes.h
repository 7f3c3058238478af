/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_LANES_H
#define KFT_VIEW_LANES_H

#include "base/map.h"
#include "base/vec.h"
#include "view/item.h"

/*
 * Where items are: a lane holds what never overlaps. Rows of a page are made of lanes, so
 * that an interrupt can be seen both on its CPU and beside other interrupts of its number.
 */
enum kft_view_owner {
	KFT_VIEW_OF_NONE,
	KFT_VIEW_OF_CPU,
	KFT_VIEW_OF_TASK,
};

#define KFT_VIEW_ANY_KEY UINT32_MAX /* the lane has items of all keys */

struct kft_view_lane {
	uint16_t kind; /* number of the kind */
	uint16_t slot; /* lanes beside each other: nested items, or those that overlap */
	uint8_t owner; /* enum kft_view_owner */
	int32_t id; /* the CPU, the pid */
	uint32_t key;
	uint64_t end_ns; /* of its last item */
};

struct kft_view_lanes {
	struct kft_map by_hash; /* -> index + 1 */
	KFT_VEC(struct kft_view_lane) list;
};

void kft_view_lanes_finish(struct kft_view_lanes *l);

/*
 * The lane for an item: like wanted, in its slot or the first one behind it that is free
 * then. An item whose beginning was not seen begins behind what is there; one whose end was
 * not seen has no place where others came behind it. Sets its lane. -ENOMEM; -E2BIG: there
 * is no place, or more overlap, or are more lanes, than any page could show.
 */
int kft_view_lanes_put(struct kft_view_lanes *l, const struct kft_view_lane *wanted,
		       struct kft_view_item *item) __must_check;

#endif
