/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "view/chunks.h"
#include "view/item.h"

/*
 * Levels of detail. Each level collects items. When it has enough, they become a chunk,
 * and a coarser version of them goes to the level above. Memory therefore does not grow
 * with the trace, and every item can be reached from the root, the topmost chunk,
 * through chunks of increasing detail.
 */
enum { KFT_VIEW_LEVELS = 10 };

struct kft_view_level {
	KFT_VEC(struct kft_view_item) items;
	uint32_t chunks; /* number of chunks written so far */
};

struct kft_view_pyramid {
	struct kft_view_chunks *chunks; /* borrowed */
	struct kft_view_level levels[KFT_VIEW_LEVELS];
	struct kft_strbuf texts; /* texts of level 0 */
	KFT_VEC(struct kft_view_item) sorted; /* items of the chunk that is being made */
	KFT_VEC(uint32_t) place; /* position by track, for sorting */
	uint64_t close_ns; /* merge distance of the last chunk */
};

void kft_view_pyramid_finish(struct kft_view_pyramid *p);

/*
 * Adds the next item of its track; text is copied. -ENOMEM, or the
 * error of writing a chunk.
 */
int kft_view_pyramid_add(struct kft_view_pyramid *p, const struct kft_view_item *item,
			 const char *text, size_t len) __must_check;

/* Finishes after the last item. The last chunk is the root, if there was any item. */
int kft_view_pyramid_end(struct kft_view_pyramid *p) __must_check;
