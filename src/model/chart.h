/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_CHART_H
#define KFT_MODEL_CHART_H

#include "base/arena.h"
#include "base/vec.h"

/*
 * What happened over time, to be drawn: rows below each other, of bars or of a curve. Text is
 * owned by the chart's arena. Running out of memory is sticky: see failed.
 */
enum kft_chart_style {
	KFT_CHART_PLAIN, /* exists */
	KFT_CHART_BUSY, /* works: as dark as its strength */
	KFT_CHART_BAD, /* costs time that nobody wanted to spend */
	KFT_CHART_CURVE,
	KFT_CHART_STYLES,
};

#define KFT_CHART_LANES 16 /* what overlaps more than this is drawn over each other */

struct kft_chart_bar {
	uint64_t begin_ns;
	uint64_t end_ns;
	enum kft_chart_style style;
	unsigned int strength; /* of 100 */
	unsigned int lane; /* those that overlap are in different ones */
	const char *name; /* drawn in it where there is room; NULL: none */
	const char *about; /* shown when one points at it; NULL: nothing */
};

struct kft_chart_row {
	const char *label;
	bool is_heading;
	unsigned int lanes; /* at least 1 */
	uint64_t until_ns[KFT_CHART_LANES]; /* ends of the last bars that were placed */
	KFT_VEC(struct kft_chart_bar) bars;
	KFT_VEC(uint64_t) values; /* of a curve: in equal parts of the time ... */
	uint64_t most; /* ... and what its full height is */
};

struct kft_chart {
	struct kft_arena arena;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t early_end_ns; /* what it is about is before this; 0: not known */
	KFT_VEC(struct kft_chart_row *) rows; /* in the arena */
	bool failed;
};

void kft_chart_finish(struct kft_chart *c);

/* A new row below the others; NULL (which the others accept) when out of memory. */
struct kft_chart_row *kft_chart_add_row(struct kft_chart *c, const char *label);
void kft_chart_add_heading(struct kft_chart *c, const char *text);

/* Copies the bar and its texts. */
void kft_chart_add_bar(struct kft_chart *c, struct kft_chart_row *row,
		       const struct kft_chart_bar *bar);

/* In its row's first lane that is free then; bars come in the order of their beginnings. */
void kft_chart_place_bar(struct kft_chart *c, struct kft_chart_row *row,
			 const struct kft_chart_bar *bar);

void kft_chart_set_curve(struct kft_chart *c, struct kft_chart_row *row,
			 const uint64_t *values, size_t n, uint64_t most);

#endif
