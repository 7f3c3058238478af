/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_PYRAMID_H
#define KFT_VIEW_PYRAMID_H

#include "view/chunks.h"
#include "view/item.h"

/*
 * Items in levels of detail. Each level collects items; when it has enough they become a
 * chunk, and what they look like from further away goes to the level above. So memory does
 * not grow with the trace, and from the root, the one chunk that is above all others, every
 * item can be found through chunks that are ever more exact.
 */
enum { KFT_VIEW_LEVELS = 10 };

struct kft_view_level {
	KFT_VEC(struct kft_view_item) items;
	uint32_t chunks; /* that it has become so far */
};

struct kft_view_pyramid {
	struct kft_view_chunks *chunks; /* borrowed */
	struct kft_view_level levels[KFT_VIEW_LEVELS];
	struct kft_strbuf texts; /* of level 0 */
	KFT_VEC(struct kft_view_item) sorted; /* those of a chunk that is made */
	KFT_VEC(uint32_t) place; /* by lane, while they are sorted */
	uint64_t close_ns; /* what was close enough in the last chunk */
};

void kft_view_pyramid_finish(struct kft_view_pyramid *p);

/*
 * The next item of its lane; text is copied. -ENOMEM, or what the chunk's writing fails
 * with.
 */
int kft_view_pyramid_add(struct kft_view_pyramid *p, const struct kft_view_item *item,
			 const char *text, size_t len) __must_check;

/* After the last item. The last chunk is the root, if there was any item. */
int kft_view_pyramid_end(struct kft_view_pyramid *p) __must_check;

#endif
