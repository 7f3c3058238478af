/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_ITEM_H
#define KFT_VIEW_ITEM_H

#include "model/interval.h"

/* Beside the flags of intervals: of items that become one the greatest value is its. */
#define KFT_VIEW_PEAK 256U

/*
 * What a page draws: something with a place in a lane and, unless it is a point, a length.
 * Items of a lane never overlap and come in the order of time. Above level 0 an item may
 * stand for several of the level below that are close to each other (n > 1).
 */
struct kft_view_item {
	uint32_t lane;
	uint32_t key; /* which of its kind: a number of the keys of the page, or a pid */
	uint64_t begin_ns; /* from the start of the page */
	uint64_t end_ns;
	int64_t value; /* KFT_INTERVAL_NO_VALUE: none */
	int32_t other; /* the pid in lanes of CPUs, the CPU in others */
	uint32_t flags; /* as of an interval */
	uint32_t text; /* where its text is in that of level 0 ... */
	uint32_t text_len; /* ... and how long; 0: it has none */

	/* Above level 0. */
	uint32_t n; /* items of the level below, which are one after the other ... */
	uint32_t child; /* ... in this chunk */
	uint64_t count; /* of items of level 0 */
	uint64_t busy_ns; /* their lengths together */
	uint64_t max_ns; /* that of the longest; key, value and other are its */
};

#endif
