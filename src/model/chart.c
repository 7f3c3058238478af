// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds charts of activities over time. */
#include "model/chart.h"

#include <string.h>

void kft_chart_finish(struct kft_chart *c)
{
	kft_vec_for_each(&c->rows, row) {
		kft_vec_finish(&(*row)->bars);
		kft_vec_finish(&(*row)->values);
	}
	kft_vec_finish(&c->rows);
	kft_arena_finish(&c->arena);
}

static const char *copy(struct kft_chart *c, const char *text)
{
	char *own = text ? kft_arena_strndup(&c->arena, text, strlen(text)) : NULL;

	c->failed |= text && !own;
	return own;
}

struct kft_chart_row *kft_chart_add_row(struct kft_chart *c, const char *label)
{
	struct kft_chart_row *row = kft_arena_alloc(&c->arena, sizeof(*row));

	if (!row || !kft_vec_push(&c->rows, row)) {
		c->failed = true;
		return NULL;
	}
	*row = (struct kft_chart_row){.label = copy(c, label), .lanes = 1};
	return row;
}

void kft_chart_add_heading(struct kft_chart *c, const char *text)
{
	struct kft_chart_row *row = kft_chart_add_row(c, text);

	if (row)
		row->is_heading = true;
}

void kft_chart_add_bar(struct kft_chart *c, struct kft_chart_row *row,
		       const struct kft_chart_bar *bar)
{
	struct kft_chart_bar own = *bar;

	if (!row)
		return;
	own.name = copy(c, bar->name);
	own.about = copy(c, bar->about);
	row->lanes = KFT_MAX(row->lanes, bar->lane + 1);
	if (!kft_vec_push(&row->bars, own))
		c->failed = true;
}

void kft_chart_place_bar(struct kft_chart *c, struct kft_chart_row *row,
			 const struct kft_chart_bar *bar)
{
	struct kft_chart_bar placed = *bar;

	if (!row)
		return;
	placed.lane = 0;
	while (placed.lane < KFT_CHART_LANES - 1 &&
	       row->until_ns[placed.lane] > bar->begin_ns)
		placed.lane++;
	row->until_ns[placed.lane] = KFT_MAX(row->until_ns[placed.lane], bar->end_ns);
	kft_chart_add_bar(c, row, &placed);
}

void kft_chart_set_curve(struct kft_chart *c, struct kft_chart_row *row,
			 const uint64_t *values, size_t n, uint64_t most)
{
	if (!row)
		return;
	row->most = most;
	for (size_t i = 0; i < n; i++)
		if (!kft_vec_push(&row->values, values[i]))
			c->failed = true;
}
