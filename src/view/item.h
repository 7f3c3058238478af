/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/interval.h"

/*
 * A flag in addition to those of intervals: when items are combined, the
 * result has the greatest value.
 */
#define KFT_VIEW_PEAK 256U

/*
 * An item that a page draws: it lies in a track and has a length, unless it is a point.
 * Items of a track never overlap and come in the order of time. Above level 0, an item may
 * combine several adjacent ones of the level below (n > 1).
 */
struct kft_view_item {
	uint32_t track;
	uint32_t key; /* number of a key of the page, or a pid */
	uint64_t begin_ns; /* ns since the start of the page */
	uint64_t end_ns;
	int64_t value; /* KFT_INTERVAL_NO_VALUE: without a value */
	int32_t other; /* the pid in tracks of CPUs, the CPU in other tracks */
	uint32_t flags; /* as of a struct kft_interval */
	uint32_t text; /* offset of its text in the texts of level 0 ... */
	uint32_t text_len; /* ... and length; 0: without a text */

	/* Only above level 0: */
	uint32_t n; /* number of items of the level below, which are consecutive ... */
	uint32_t child; /* ... in this chunk */
	uint64_t count; /* number of items of level 0 */
	uint64_t busy_ns; /* sum of their lengths */
	/* length of the longest, which also provides key, value and other */
	uint64_t max_ns;
};
