/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "view/pack.h"

/* A range on the trace's clock; both ends are inclusive. */
struct kft_view_range {
	uint64_t begin_ns;
	uint64_t end_ns;
};

/*
 * Marks chunks to be left out, so that the others take at most max_bytes if possible: in
 * the most detailed level first, evenly over the time. Chunks around the longest interval
 * of each key stay, with all above them, and so do those in requested ranges.
 */
void kft_view_thin(struct kft_view_pack *p, uint64_t max_bytes,
		   const struct kft_view_range *exact, size_t n_exact);
