/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/vec.h"

/*
 * Values over time: each is valid until the next one is set. A counter has one or more
 * series: "frequency of CPU 2" belongs to a counter of frequencies by CPU.
 */
#define KFT_VIEW_SERIES_BY 2

struct kft_view_step {
	uint32_t series; /* its number */
	uint64_t begin_ns; /* on the events' clock */
	uint64_t end_ns;
	int64_t value;
};

struct kft_view_one_series {
	uint32_t counter;
	uint64_t by[KFT_VIEW_SERIES_BY];
	uint64_t since_ns;
	int64_t value;
	int64_t low; /* the smallest of all values */
	int64_t high;
};

struct kft_view_series {
	struct kft_map by_hash; /* maps a hash to index + 1 */
	KFT_VEC(struct kft_view_one_series) list;
	uint64_t left_out; /* number of values of series beyond the limit */
	/* called for each step; 0 or -errno */
	int (*take)(void *arg, const struct kft_view_step *step);
	void *arg;
};

void kft_view_series_finish(struct kft_view_series *s);

/* Sets a value. -ENOMEM, or the error of take. */
int kft_view_series_set(struct kft_view_series *s, uint32_t counter,
			const uint64_t by[KFT_VIEW_SERIES_BY], uint64_t ts,
			int64_t value) __must_check;

/* Ends the last value of each series. */
int kft_view_series_end(struct kft_view_series *s, uint64_t ts) __must_check;
