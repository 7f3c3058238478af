/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

/*
 * A chart of activities over time: rows below each other, with bars or a curve. Text is
 * owned by the chart's arena. Running out of memory is sticky: see failed.
 */
enum kft_chart_style {
	KFT_CHART_PLAIN, /* exists */
	KFT_CHART_BUSY, /* is working: drawn as dark as its strength */
	KFT_CHART_BAD, /* unwanted delay */
	KFT_CHART_CURVE,
	KFT_CHART_STYLES,
};

#define KFT_CHART_LANES 16 /* limit; bars that need more are drawn over each other */

struct kft_chart_bar {
	uint64_t begin_ns;
	uint64_t end_ns;
	enum kft_chart_style style;
	unsigned int strength; /* percent */
	unsigned int lane; /* overlapping bars have different lanes */
	const char *name; /* drawn inside where there is room; NULL: none */
	const char *about; /* tooltip; NULL: none */
};

struct kft_chart_row {
	const char *label;
	bool is_heading;
	unsigned int lanes; /* at least 1 */
	uint64_t until_ns[KFT_CHART_LANES]; /* end of the last bar in each lane */
	KFT_VEC(struct kft_chart_bar) bars;
	/* of a curve: one value for each equal part of the time */
	KFT_VEC(uint64_t) values;
	uint64_t most; /* value at full height of the curve */
};

struct kft_chart {
	struct kft_arena arena;
	uint64_t begin_ns;
	uint64_t end_ns;
	/*
	 * End of the time that the chart is about, such as that of the
	 * kernel's boot; 0: unknown.
	 */
	uint64_t early_end_ns;
	KFT_VEC(struct kft_chart_row *) rows; /* in the arena */
	bool failed;
};

void kft_chart_finish(struct kft_chart *c);

/*
 * Adds a row below the others; NULL (which the other functions
 * accept) when out of memory.
 */
struct kft_chart_row *kft_chart_add_row(struct kft_chart *c, const char *label);
void kft_chart_add_heading(struct kft_chart *c, const char *text);

/* Copies the bar and its texts. */
void kft_chart_add_bar(struct kft_chart *c, struct kft_chart_row *row,
		       const struct kft_chart_bar *bar);

/*
 * Puts the bar into its row's first free lane; bars must come in the
 * order of their beginnings.
 */
void kft_chart_place_bar(struct kft_chart *c, struct kft_chart_row *row,
			 const struct kft_chart_bar *bar);

void kft_chart_set_curve(struct kft_chart *c, struct kft_chart_row *row,
			 const uint64_t *values, size_t n, uint64_t most);
