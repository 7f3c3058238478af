// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "model/plot.h"
#include "output/plot.h"

static void test_bins(void **state)
{
	/* Each length is in the bin that begins at most a quarter of an octave below it. */
	for (uint64_t ns = 4; ns < UINT64_C(1) << 46; ns += ns / 7 + 1) {
		unsigned int bin = kft_plot_length_bin(ns);

		assert_true(kft_plot_bin_ns(bin) <= ns);
		assert_true(ns < kft_plot_bin_ns(bin + 1));
	}
	assert_int_equal(kft_plot_length_bin(0), 0);
	assert_int_equal(kft_plot_length_bin(UINT64_MAX), KFT_PLOT_LENGTHS - 1);
}

static struct kft_plot *make(void)
{
	struct kft_plot *p = test_calloc(1, sizeof(*p));

	p->kind = "irq";
	p->begin_ns = 1000000000;
	p->end_ns = 2000000000;
	for (uint64_t i = 0; i < 1000; i++)
		kft_plot_add(p, p->begin_ns + i * 1000000, 1024 + i % 7, "usual");
	kft_plot_add(p, 1500000000, 7000000, "a <b> & \x1b[2J\n");
	kft_plot_add(p, 1100000000, 3000000, "third");
	kft_plot_add(p, 1900000000, 5000000, "second");
	return p;
}

static void test_worst(void **state)
{
	struct kft_plot *p = make();

	assert_int_equal(p->count, 1003);
	assert_int_equal(p->n_worst, KFT_PLOT_WORST);
	assert_int_equal(p->worst[0].length_ns, 7000000);
	assert_string_equal(p->worst[1].what, "second");
	assert_string_equal(p->worst[2].what, "third");
	assert_string_equal(p->worst[3].what, "usual");
	assert_int_equal(p->worst[3].length_ns, 1030);
	/* The first one of equal ones. */
	assert_int_equal(p->worst[3].begin_ns, 1006000000);
	test_free(p);
}

static void test_text(void **state)
{
	struct kft_plot *p = make();
	_cleanup_(kft_strbuf_finish) struct kft_strbuf ascii = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf braille = {};

	kft_plot_text(p, 80, false, &ascii);
	kft_plot_text(p, 80, true, &braille);
	assert_true(kft_strbuf_ok(&ascii));
	assert_null(strchr(kft_strbuf_cstr(&ascii), '\x1b'));
	assert_non_null(strstr(kft_strbuf_cstr(&ascii), "irq: how long 1,003 were\n"));
	assert_non_null(strstr(kft_strbuf_cstr(&ascii), "| 1,000\n")
				?: strstr(kft_strbuf_cstr(&ascii), "@ 1,000\n"));
	assert_non_null(
		strstr(kft_strbuf_cstr(&ascii), "2     5.000 ms at 1.900000: second\n"));
	for (size_t i = 0; i < ascii.len; i++)
		assert_true((unsigned char)ascii.buf[i] < 0x80);
	assert_non_null(strstr(kft_strbuf_cstr(&braille), "\xe2\xa3\xbf"));
	/* No line is wider than the terminal. */
	for (char *line = strtok(ascii.buf, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 80);
	test_free(p);
}

static void test_picture(void **state)
{
	struct kft_plot *p = make();
	struct kft_plot *const plots[] = {NULL, p};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_plots_svg(plots, ARRAY_SIZE(plots), "t", &sb);
	assert_true(kft_strbuf_ok(&sb));
	const char *svg = kft_strbuf_cstr(&sb);

	assert_non_null(strstr(svg, "7.000 ms: a &lt;b&gt; &amp; "));
	assert_null(strchr(svg, '\x1b'));
	assert_non_null(strstr(svg, "from 1.024 us: 1000"));
	assert_non_null(strstr(svg, "irq: how many, of which length and when"));
	test_free(p);
}

static void test_nothing(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_plot *p = test_calloc(1, sizeof(*p));

	p->kind = "irq";
	kft_plot_text(p, 80, true, &sb);
	assert_int_equal(sb.len, 0);
	kft_plots_svg(&p, 1, "t", &sb);
	assert_true(kft_strbuf_ok(&sb));
	test_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bins),	cmocka_unit_test(test_worst),
		cmocka_unit_test(test_text),	cmocka_unit_test(test_picture),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
