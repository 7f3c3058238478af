// SPDX-License-Identifier: LGPL-2.1-or-later
/* Draws plots as SVG. */
#include <inttypes.h>

#include "base/units.h"
#include "output/plot.h"
#include "output/svg/svg.h"

#define LEFT   90
#define WIDTH  960 /* width of a panel in pixels; 5 pixels for each step of time */
#define HEIGHT 200
#define GAP    46
#define HEAD   50

static const char style[] =
	"text{font:11px system-ui,sans-serif;fill:#16202e}.t{font:600 14px system-ui,"
	"sans-serif}.h{font-weight:600}.a{fill:#4d5a6b}.f{fill:#f4f6f9}.b{fill:#0072b2}"
	".w{fill:#d55e00}.n{font-weight:600;fill:#a03000}.e{text-anchor:end}";

struct panel {
	const struct kft_plot *p;
	double top;
	unsigned int first; /* range of the lengths that occur */
	unsigned int last;
	struct kft_strbuf *sb;
};

static double y_of(const struct panel *a, unsigned int bin)
{
	return a->top + HEIGHT * (double)(a->last - bin) / (a->last - a->first + 1);
}

static double row_height(const struct panel *a)
{
	return (double)HEIGHT / (a->last - a->first + 1);
}

static double column(const struct kft_plot *p, unsigned int x)
{
	return LEFT + (double)WIDTH * x / KFT_PLOT_TIMES;
}

static void label_length(const struct panel *a, uint64_t ns, double y)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_strbuf_add_duration(&text, ns);
	kft_svg_label(a->sb, 8, y, "a", kft_strbuf_cstr(&text));
}

static void label_moment(const struct panel *a, uint64_t ns, double x)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_strbuf_addf(&text, "%" PRIu64 ".%06" PRIu64, ns / 1000000000,
			ns / 1000 % 1000000);
	kft_svg_label(a->sb, x, a->top + HEIGHT + 14, "a", kft_strbuf_cstr(&text));
}

static void begin(const struct panel *a, const char *what)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf title = {};

	kft_strbuf_addf(&title, "%s: %s", a->p->kind, what);
	kft_svg_label(a->sb, LEFT, a->top - 8, "h", kft_strbuf_cstr(&title));
	kft_svg_rect(a->sb, LEFT, a->top, WIDTH, HEIGHT, "f", NULL);
}

/* Draws the number of intervals of each length, from left to right. */
static void draw_distribution(const struct panel *a)
{
	uint64_t counts[KFT_PLOT_LENGTHS] = {};
	uint64_t most = 1;
	unsigned int bins = a->last - a->first + 1;
	double wide = (double)WIDTH / bins;

	begin(a, "how long they were");
	for (unsigned int x = 0; x < KFT_PLOT_TIMES; x++)
		for (unsigned int y = a->first; y <= a->last; y++)
			counts[y] += a->p->grid[x][y];
	for (unsigned int y = a->first; y <= a->last; y++)
		most = KFT_MAX(most, counts[y]);
	for (unsigned int y = a->first; y <= a->last; y++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf about = {};
		double high = (double)counts[y] / (double)most * (HEIGHT - 6);
		double x = LEFT + (y - a->first) * wide;

		kft_strbuf_adds(&about, "from ");
		kft_strbuf_add_duration(&about, kft_plot_bin_ns(y));
		kft_strbuf_addf(&about, ": %" PRIu64, counts[y]);
		if (counts[y])
			kft_svg_rect(a->sb, x, a->top + HEIGHT - KFT_MAX(high, 1.0),
				     KFT_MAX(wide - 1, 1.0), KFT_MAX(high, 1.0), "b",
				     kft_strbuf_cstr(&about));
	}
	for (unsigned int y = a->first; y <= a->last; y += KFT_MAX(bins / 8, 1U)) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

		kft_strbuf_add_duration(&text, kft_plot_bin_ns(y));
		kft_svg_label(a->sb, LEFT + (y - a->first) * wide, a->top + HEIGHT + 14,
			      "a", kft_strbuf_cstr(&text));
	}
}

static void draw_axes(const struct panel *a, const char *what)
{
	begin(a, what);
	label_length(a, kft_plot_bin_ns(a->last), a->top + 10);
	label_length(a, kft_plot_bin_ns(a->first), a->top + HEIGHT);
	label_moment(a, a->p->begin_ns, LEFT);
	label_moment(a, a->p->end_ns, LEFT + WIDTH - 80);
}

/* Draws the longest interval of each step of time, with names for the worst. */
static void draw_over_time(const struct panel *a)
{
	const struct kft_plot *p = a->p;

	draw_axes(a, "the longest over time");
	for (unsigned int x = 0; x < KFT_PLOT_TIMES; x++) {
		unsigned int y = a->last + 1;

		while (y > a->first && !p->grid[x][y - 1])
			y--;
		if (y > a->first && p->grid[x][y - 1])
			kft_svg_rect(a->sb, column(p, x), y_of(a, y - 1),
				     (double)WIDTH / KFT_PLOT_TIMES - 1,
				     a->top + HEIGHT - y_of(a, y - 1), "b", NULL);
	}
	for (unsigned int i = 0; i < p->n_worst; i++) {
		const struct kft_plot_point *w = &p->worst[i];
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
		double x = column(p, kft_plot_time_bin(p, w->begin_ns));
		double y = y_of(a, kft_plot_length_bin(w->length_ns));

		kft_strbuf_add_duration(&text, w->length_ns);
		kft_strbuf_addf(&text, ": %s", w->what);
		kft_svg_rect(a->sb, x, y, (double)WIDTH / KFT_PLOT_TIMES - 1,
			     a->top + HEIGHT - y, "w", kft_strbuf_cstr(&text));
		/* Labels are stacked, because the worst may lie at the same time. */
		bool is_right = x > LEFT + WIDTH * 0.6;

		kft_svg_label(a->sb, is_right ? x - 5 : x + 8, a->top + 22 + 13 * i,
			      is_right ? "n e" : "n", kft_strbuf_cstr(&text));
	}
}

/*
 * Draws a heat map of numbers. The scale is logarithmic, so that a
 * single interval is visible.
 */
static void draw_heat(const struct panel *a)
{
	const struct kft_plot *p = a->p;
	unsigned int most = 1;

	draw_axes(a, "how many, of which length and when");
	for (unsigned int x = 0; x < KFT_PLOT_TIMES; x++)
		for (unsigned int y = a->first; y <= a->last; y++)
			most = KFT_MAX(most, 32U - (unsigned int)__builtin_clz(
							   p->grid[x][y] | 1));
	for (unsigned int level = 1; level <= most; level++) {
		kft_strbuf_adds(a->sb, "<g opacity=\"");
		kft_svg_number(a->sb, 0.25 + 0.75 * level / most);
		kft_strbuf_adds(a->sb, "\">\n");
		for (unsigned int x = 0; x < KFT_PLOT_TIMES; x++)
			for (unsigned int y = a->first; y <= a->last; y++)
				if (p->grid[x][y] &&
				    32U - (unsigned int)__builtin_clz(p->grid[x][y]) ==
					    level)
					kft_svg_rect(a->sb, column(p, x), y_of(a, y),
						     (double)WIDTH / KFT_PLOT_TIMES,
						     row_height(a), "w", NULL);
		kft_strbuf_adds(a->sb, "</g>\n");
	}
}

void kft_plots_svg(struct kft_plot *const *plots, size_t n, const char *title,
		   struct kft_strbuf *sb)
{
	static void (*const panels[])(const struct panel *) = {draw_distribution,
							       draw_over_time, draw_heat};
	double top = HEAD;
	unsigned int shown = 0;

	for (size_t i = 0; i < n; i++)
		shown += plots[i] != NULL;
	kft_svg_begin(sb, LEFT + WIDTH + 20,
		      HEAD + shown * ARRAY_SIZE(panels) * (HEIGHT + GAP), title, style);
	kft_svg_label(sb, 8, 20, "t", title);
	for (size_t i = 0; i < n; i++) {
		struct panel a = {.p = plots[i], .sb = sb};

		if (!a.p || !kft_plot_lengths(a.p, &a.first, &a.last))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(panels); k++) {
			a.top = top;
			panels[k](&a);
			top += HEIGHT + GAP;
		}
	}
	kft_svg_end(sb);
}
