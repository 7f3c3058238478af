// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "model/chart.h"
#include "output/svg/chart.h"
#include "output/svg/svg.h"

static void place(struct kft_chart *c, struct kft_chart_row *row, uint64_t begin,
		  uint64_t end, const char *name)
{
	const struct kft_chart_bar bar = {
		.begin_ns = begin, .end_ns = end, .name = name, .about = name};

	kft_chart_place_bar(c, row, &bar);
}

static void test_lanes(void **state)
{
	_cleanup_(kft_chart_finish) struct kft_chart c = {};
	struct kft_chart_row *row = kft_chart_add_row(&c, "row");

	place(&c, row, 0, 10, NULL);
	place(&c, row, 5, 7, NULL); /* in the first */
	place(&c, row, 6, 20, NULL); /* in both */
	place(&c, row, 7, 9, NULL); /* the second has ended */
	place(&c, row, 10, 12, NULL); /* the first has */
	assert_false(c.failed);
	static const unsigned int lanes[] = {0, 1, 2, 1, 0};

	assert_int_equal(row->bars.len, ARRAY_SIZE(lanes));
	for (size_t i = 0; i < ARRAY_SIZE(lanes); i++)
		assert_int_equal(row->bars.data[i].lane, lanes[i]);
	assert_int_equal(row->lanes, 3);
	/* Bars that overlap in more places than there are lanes go to the last lane. */
	for (int i = 0; i < 3 * KFT_CHART_LANES; i++)
		place(&c, row, 30, 40, NULL);
	assert_int_equal(row->lanes, KFT_CHART_LANES);
}

static void test_picture(void **state)
{
	_cleanup_(kft_chart_finish) struct kft_chart c = {.begin_ns = 1000000000,
							  .end_ns = 3000000000};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const uint64_t values[] = {0, 5, 10, 20};
	struct kft_chart_row *row;

	kft_chart_add_heading(&c, "head");
	row = kft_chart_add_row(&c, "a<b>&\"");
	place(&c, row, 1000000000, 2000000000, "</text><script>\x1b");
	kft_chart_set_curve(&c, kft_chart_add_row(&c, "curve"), values, 4, 10);
	kft_chart_svg(&c, "title", &sb);
	assert_true(kft_strbuf_ok(&sb));
	const char *svg = kft_strbuf_cstr(&sb);

	assert_non_null(strstr(svg, ">a&lt;b&gt;&amp;&quot;</text>"));
	assert_null(strstr(svg, "<script"));
	assert_null(strchr(svg, '\x1b'));
	/* Half of the time is half of the width. */
	assert_non_null(
		strstr(svg, "<rect class=\"p\" x=\"210\" y=\"81\" width=\"600\""));
	/* More than the most is as high as that; nothing is not drawn. */
	assert_non_null(strstr(svg, "x=\"810\" y=\"101\" width=\"300\" height=\"38\""));
	assert_non_null(strstr(svg, "x=\"1110\" y=\"101\" width=\"300\" height=\"38\""));
	assert_null(strstr(svg, "height=\"0\""));
}

/* A stamp of a damaged file: the sum of the last tick and a step is beyond 64 bits. */
static void the_axis_ends_where_time_does(void **state)
{
	_cleanup_(kft_chart_finish) struct kft_chart c = {.begin_ns = 1,
							  .end_ns = UINT64_MAX};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	size_t ticks = 0;

	kft_chart_svg(&c, "title", &sb);
	assert_true(kft_strbuf_ok(&sb));
	for (const char *p = kft_strbuf_cstr(&sb); (p = strstr(p, " s</text>")); p++)
		ticks++;
	assert_int_equal(ticks, 9);
}

static void test_numbers(void **state)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {{0, "0"},	     {1, "1"},
		     {1.5, "1.5"},   {1.25, "1.25"},
		     {1.05, "1.05"}, {-0.001, "0"},
		     {-2.5, "-2.5"}, {0.999, "1"},
		     {12.3, "12.3"}, {1234567.8, "1234567.8"}};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

		kft_svg_number(&sb, cases[i].v);
		assert_string_equal(kft_strbuf_cstr(&sb), cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_picture),
		cmocka_unit_test(the_axis_ends_where_time_does),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
