// SPDX-License-Identifier: LGPL-2.1-or-later
/* Draws a chart as SVG. */
#include "output/svg/chart.h"

#include <string.h>

#include "output/svg/svg.h"

#define LABELS	   210 /* pixels for the labels of rows */
#define WIDTH	   1200 /* pixels for the time */
#define MARGIN	   20
#define HEAD	   54
#define LANE	   15
#define CURVE	   44
#define HEADING	   26
#define CHAR_WIDTH 6 /* approximate width in the font */
#define HAIR	   0.6
#define TICKS	   12 /* upper limit */

static const char style[] =
	"text{font:11px system-ui,sans-serif;fill:#16202e}.t{font:600 14px system-ui,"
	"sans-serif}.h{font-weight:600}.n{pointer-events:none;font-size:10px}.i{fill:#fff}.a{fill:#4d5a6b}"
	".g{fill:#d6dce5}.p{fill:#c9d3df}.b{fill:#0072b2}.w{fill:#d55e00}.c{fill:#0f766e}"
	"rect:hover{stroke:#16202e;stroke-width:.7}";

static const char *const classes[KFT_CHART_STYLES] = {"p", "b", "w", "c"};

static double x_of(const struct kft_chart *c, uint64_t ns)
{
	uint64_t at = ns > c->begin_ns ? ns - c->begin_ns : 0;

	return LABELS +
	       (double)at * WIDTH / (double)KFT_MAX(c->end_ns - c->begin_ns, UINT64_C(1));
}

static double height_of(const struct kft_chart_row *row)
{
	return row->is_heading	 ? HEADING
	       : row->values.len ? CURVE
				 : (double)row->lanes * LANE + 3;
}

/* The distance of ticks: 1, 2 or 5 times a power of ten, with at most TICKS of them. */
static uint64_t step_of(uint64_t ns)
{
	static const unsigned int factors[] = {1, 2, 5};

	for (uint64_t power = 1; power <= UINT64_MAX / 10; power *= 10)
		for (size_t i = 0; i < ARRAY_SIZE(factors); i++)
			if (ns / (power * factors[i]) < TICKS)
				return power * factors[i];
	return ns;
}

static void draw_axis(const struct kft_chart *c, double bottom, struct kft_strbuf *sb)
{
	uint64_t span = c->end_ns - c->begin_ns;
	uint64_t step = step_of(span);
	uint64_t first = (step - c->begin_ns % step) % step;

	/* Counted: damaged files have stamps near 2^64, and sums behind the end overflow. */
	uint64_t count = first <= span ? (span - first) / step + 1 : 0;

	for (uint64_t i = 0; i < count; i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
		uint64_t ns = c->begin_ns + first + i * step;
		double x = x_of(c, ns);

		kft_svg_number(&text, (double)ns / 1e9);
		kft_strbuf_adds(&text, " s");
		kft_svg_rect(sb, x, HEAD - 8, 0.5, bottom - HEAD + 8, "g", NULL);
		kft_svg_label(sb, x + 3, HEAD - 8, "a", kft_strbuf_cstr(&text));
	}
}

static void draw_bar(const struct kft_chart *c, const struct kft_chart_bar *b, double y,
		     struct kft_strbuf *sb)
{
	double x = x_of(c, b->begin_ns);
	double width = KFT_MAX(x_of(c, b->end_ns) - x, HAIR);
	bool is_pale = b->style == KFT_CHART_BUSY && b->strength < 100;

	if (is_pale) {
		kft_strbuf_adds(sb, "<g opacity=\"");
		kft_svg_number(sb, 0.15 + 0.85 * b->strength / 100);
		kft_strbuf_adds(sb, "\">");
	}
	kft_svg_rect(sb, x, y + b->lane * LANE + 1, width, LANE - 3, classes[b->style],
		     b->about);
	if (is_pale)
		kft_strbuf_adds(sb, "</g>\n");
}

/* Draws a bar's name if it fits. */
static void draw_name(const struct kft_chart *c, const struct kft_chart_bar *b, double y,
		      struct kft_strbuf *sb)
{
	double x = x_of(c, b->begin_ns);
	double room = x_of(c, b->end_ns) - x;

	if (!b->name || room < (double)(strlen(b->name) * CHAR_WIDTH))
		return;
	kft_svg_label(sb, x + 3, y + b->lane * LANE + 10,
		      b->style == KFT_CHART_PLAIN ? "n" : "n i", b->name);
}

static void draw_curve(const struct kft_chart_row *row, double y, struct kft_strbuf *sb)
{
	double part = (double)WIDTH / (double)row->values.len;

	for (size_t i = 0; i < row->values.len; i++) {
		double share = (double)row->values.data[i] /
			       (double)KFT_MAX(row->most, UINT64_C(1));
		double height = KFT_MIN(share, 1.0) * (CURVE - 6);

		if (height > 0)
			kft_svg_rect(sb, LABELS + (double)i * part,
				     y + CURVE - 3 - height, part, height,
				     classes[KFT_CHART_CURVE], NULL);
	}
}

static void draw_row(const struct kft_chart *c, const struct kft_chart_row *row, double y,
		     struct kft_strbuf *sb)
{
	double height = height_of(row);

	kft_svg_label(sb, row->is_heading ? 8 : 16, y + KFT_MIN(height, 24.0) / 2 + 4,
		      row->is_heading ? "h" : "l", row->label);
	if (!row->is_heading)
		kft_svg_rect(sb, LABELS, y + height, WIDTH, 0.5, "g", NULL);
	if (row->values.len)
		draw_curve(row, y, sb);
	kft_vec_for_each(&row->bars, b)
		draw_bar(c, b, y, sb);
	kft_vec_for_each(&row->bars, b)
		draw_name(c, b, y, sb);
}

void kft_chart_svg(const struct kft_chart *c, const char *title, struct kft_strbuf *sb)
{
	double bottom = HEAD;

	sb->failed |= c->failed;
	if (c->failed)
		return;
	kft_vec_for_each(&c->rows, row)
		bottom += height_of(*row);
	kft_svg_begin(sb, LABELS + WIDTH + MARGIN, (unsigned int)bottom + MARGIN, title,
		      style);
	kft_svg_label(sb, 8, 20, "t", title);
	draw_axis(c, bottom, sb);
	double y = HEAD;

	kft_vec_for_each(&c->rows, row) {
		draw_row(c, *row, y, sb);
		y += height_of(*row);
	}
	kft_svg_end(sb);
}
