// SPDX-License-Identifier: LGPL-2.1-or-later
/* Turns a chart into rows of the page. */
#include "view/chart.h"

#include <errno.h>

/* A key combines the number of a row and that of a bar in it. */
#define ROW_SHIFT 32

static uint64_t since_start(const struct kft_view_pack *p, uint64_t ts)
{
	return ts > p->start_ns ? ts - p->start_ns : 0;
}

static int add_bar(struct kft_view_pack *p, uint64_t row, uint64_t number,
		   const struct kft_chart_bar *bar)
{
	const uint16_t kind = p->n_kinds + KFT_VIEW_CHART;
	const struct kft_view_lane lane = {.kind = kind,
					   .id = (int32_t)row,
					   .slot = (uint16_t)bar->lane,
					   .key = KFT_VIEW_ANY_KEY};
	struct kft_view_item item = {
		.begin_ns = since_start(p, bar->begin_ns),
		.end_ns = since_start(p, KFT_MAX(bar->begin_ns, bar->end_ns)),
		.value = KFT_INTERVAL_NO_VALUE,
		.other = -1,
	};
	int r = kft_view_keys_get(&p->keys, kind, row << ROW_SHIFT | number, &item.key);

	if (!r)
		r = kft_view_lanes_put(&p->lanes, &lane, &item);
	if (!r)
		r = kft_view_pyramid_add(&p->pyramid, &item, NULL, 0);
	if (!r)
		kft_view_keys_count(&p->keys, item.key, &item, NULL);
	if (r != -E2BIG)
		return r;
	p->dropped++;
	return 0;
}

int kft_view_chart_add(struct kft_view_pack *p)
{
	int r = 0;

	for (size_t row = 0; p->chart && row < p->chart->rows.len; row++) {
		const struct kft_chart_row *of = p->chart->rows.data[row];

		for (size_t i = 0; i < of->bars.len && !r; i++)
			r = add_bar(p, row, i, &of->bars.data[i]);
	}
	return r;
}

const char *kft_view_chart_name(const struct kft_view_pack *p, uint64_t key)
{
	const struct kft_chart_row *row = p->chart->rows.data[key >> ROW_SHIFT];
	const char *name = row->bars.data[key & UINT32_MAX].name;

	return name ? name : row->label;
}
