/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_SERIES_H
#define KFT_VIEW_SERIES_H

#include "base/map.h"
#include "base/vec.h"

/*
 * Values that change: each holds from when it was set until it is set again. A series is one
 * of a counter's: "frequency of CPU 2", where the counter is of frequencies by CPU.
 */
#define KFT_VIEW_SERIES_BY 2

struct kft_view_step {
	uint32_t series; /* its number */
	uint64_t begin_ns; /* as the events' */
	uint64_t end_ns;
	int64_t value;
};

struct kft_view_one_series {
	uint32_t counter;
	uint64_t by[KFT_VIEW_SERIES_BY];
	uint64_t since_ns;
	int64_t value;
	int64_t low; /* the least of all values */
	int64_t high;
};

struct kft_view_series {
	struct kft_map by_hash; /* -> index + 1 */
	KFT_VEC(struct kft_view_one_series) list;
	uint64_t left_out; /* values of more series than a page shows */
	int (*take)(void *arg, const struct kft_view_step *step); /* 0 or -errno */
	void *arg;
};

void kft_view_series_finish(struct kft_view_series *s);

/* -ENOMEM, or what take fails with. */
int kft_view_series_set(struct kft_view_series *s, uint32_t counter,
			const uint64_t by[KFT_VIEW_SERIES_BY], uint64_t ts,
			int64_t value) __must_check;

/* The values that hold at the end. */
int kft_view_series_end(struct kft_view_series *s, uint64_t ts) __must_check;

#endif
