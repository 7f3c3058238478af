// SPDX-License-Identifier: LGPL-2.1-or-later
/* Draws plots as text. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/units.h"
#include "output/plot.h"

#define LABEL 12 /* columns for the labels of an axis */
#define ROWS  12 /* rows for lengths over time */

/* Dots of a braille character; ASCII output uses the same grid. */
#define DOTS_WIDE 2
#define DOTS_HIGH 4

struct canvas {
	size_t columns;
	size_t rows;
	uint8_t *dots; /* owned: bits of each character */
	char *marks; /* owned: characters that replace dots; 0: none */
};

static void finish(struct canvas *c)
{
	free(c->dots);
	free(c->marks);
}

static bool init(struct canvas *c, size_t columns, size_t rows)
{
	c->columns = columns;
	c->rows = rows;
	c->dots = calloc(columns * rows, 1);
	c->marks = calloc(columns * rows, 1);
	return c->dots && c->marks;
}

/* Braille numbers its dots column by column; the dots of the fourth row come last. */
static void set_dot(struct canvas *c, size_t x, size_t y)
{
	static const uint8_t bits[DOTS_HIGH][DOTS_WIDE] = {
		{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

	c->dots[y / DOTS_HIGH * c->columns + x / DOTS_WIDE] |=
		bits[y % DOTS_HIGH][x % DOTS_WIDE];
}

static void put_dots(uint8_t dots, bool is_unicode, struct kft_strbuf *sb)
{
	static const char ascii[] = " ..::ooO@";

	if (!is_unicode || !dots) {
		kft_strbuf_addc(sb, ascii[__builtin_popcount(dots)]);
		return;
	}
	/* The character U+2800 + dots in UTF-8. */
	kft_strbuf_addc(sb, (char)0xe2);
	kft_strbuf_addc(sb, (char)(0xa0 | dots >> 6));
	kft_strbuf_addc(sb, (char)(0x80 | (dots & 0x3f)));
}

static void put_row(const struct canvas *c, size_t row, bool is_unicode,
		    struct kft_strbuf *sb)
{
	for (size_t i = row * c->columns; i < (row + 1) * c->columns; i++) {
		if (c->marks[i])
			kft_strbuf_addc(sb, c->marks[i]);
		else
			put_dots(c->dots[i], is_unicode, sb);
	}
}

static void put_length(uint64_t ns, struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_strbuf_add_duration(&text, ns);
	kft_strbuf_addf(sb, "%*s", LABEL, kft_strbuf_cstr(&text));
}

static void put_moment(uint64_t ns, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "%" PRIu64 ".%06" PRIu64, ns / 1000000000,
			ns / 1000 % 1000000);
}

static uint64_t count_octave(const struct kft_plot *p, unsigned int octave)
{
	uint64_t n = 0;

	for (unsigned int x = 0; x < KFT_PLOT_TIMES; x++)
		for (unsigned int y = 0; y < KFT_PLOT_PER_OCTAVE; y++)
			n += p->grid[x][octave * KFT_PLOT_PER_OCTAVE + y];
	return n;
}

/* Prints a line for each doubling of the length: its start, a bar, and the number. */
static void put_distribution(const struct kft_plot *p, size_t columns, bool is_unicode,
			     unsigned int first, unsigned int last, struct kft_strbuf *sb)
{
	uint64_t counts[KFT_PLOT_LENGTHS / KFT_PLOT_PER_OCTAVE] = {};
	uint64_t most = 1;

	first /= KFT_PLOT_PER_OCTAVE;
	last /= KFT_PLOT_PER_OCTAVE;
	for (unsigned int i = first; i <= last; i++) {
		counts[i] = count_octave(p, i);
		most = KFT_MAX(most, counts[i]);
	}
	for (unsigned int i = first; i <= last; i++) {
		size_t dots = (size_t)((double)counts[i] / (double)most *
				       (double)(columns * DOTS_WIDE));

		dots = KFT_MAX(dots, (size_t)(counts[i] > 0));
		put_length(UINT64_C(1) << i, sb);
		kft_strbuf_adds(sb, " |");
		for (size_t x = 0; x < columns; x++) {
			size_t here = dots > x * DOTS_WIDE ? dots - x * DOTS_WIDE : 0;

			put_dots(here >= DOTS_WIDE ? 0xff
				 : here		   ? 0x47
						   : 0,
				 is_unicode, sb);
		}
		kft_strbuf_addc(sb, ' ');
		kft_strbuf_add_count(sb, counts[i]);
		kft_strbuf_addc(sb, '\n');
	}
}

/* The row of dots of a length; the longest is at the top. */
static size_t dot_row(unsigned int bin, unsigned int first, unsigned int last)
{
	size_t rows = (size_t)ROWS * DOTS_HIGH;

	return (last - bin) * (rows - 1) / KFT_MAX(last - first, 1U);
}

static void fill(const struct kft_plot *p, unsigned int first, unsigned int last,
		 struct canvas *c)
{
	for (unsigned int x = 0; x < KFT_PLOT_TIMES; x++)
		for (unsigned int y = first; y <= last; y++)
			if (p->grid[x][y])
				set_dot(c, x * c->columns * DOTS_WIDE / KFT_PLOT_TIMES,
					dot_row(y, first, last));
	for (unsigned int i = p->n_worst; i-- > 0;) {
		size_t x = kft_plot_time_bin(p, p->worst[i].begin_ns) * c->columns /
			   KFT_PLOT_TIMES;
		size_t y = dot_row(kft_plot_length_bin(p->worst[i].length_ns), first,
				   last) /
			   DOTS_HIGH;

		c->marks[y * c->columns + x] = (char)('1' + i);
	}
}

static void put_over_time(const struct kft_plot *p, const struct canvas *c,
			  bool is_unicode, unsigned int first, unsigned int last,
			  struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf end = {};
	size_t start = sb->len;

	for (size_t row = 0; row < c->rows; row++) {
		if (row == 0 || row == c->rows - 1)
			put_length(kft_plot_bin_ns(row ? first : last), sb);
		else
			kft_strbuf_addf(sb, "%*s", LABEL, "");
		kft_strbuf_adds(sb, " |");
		put_row(c, row, is_unicode, sb);
		kft_strbuf_addc(sb, '\n');
	}
	kft_strbuf_addf(sb, "%*s", LABEL + 2, "");
	start = sb->len;
	put_moment(p->begin_ns, sb);
	put_moment(p->end_ns, &end);
	size_t used = sb->len - start + end.len;

	kft_strbuf_addf(sb, "%*s%s\n", (int)(c->columns > used ? c->columns - used : 1),
			"", kft_strbuf_cstr(&end));
}

static void put_worst(const struct kft_plot *p, struct kft_strbuf *sb)
{
	for (unsigned int i = 0; i < p->n_worst; i++) {
		kft_strbuf_addf(sb, "%*u ", LABEL - 11, i + 1);
		put_length(p->worst[i].length_ns, sb);
		kft_strbuf_adds(sb, " at ");
		put_moment(p->worst[i].begin_ns, sb);
		kft_strbuf_adds(sb, ": ");
		kft_strbuf_add_escaped(sb, p->worst[i].what, strlen(p->worst[i].what));
		kft_strbuf_addc(sb, '\n');
	}
}

void kft_plot_text(const struct kft_plot *p, size_t width, bool is_unicode,
		   struct kft_strbuf *sb)
{
	_cleanup_(finish) struct canvas c = {};
	size_t columns = width > LABEL + 24 ? width - LABEL - 4 : 20;
	unsigned int first;
	unsigned int last;

	if (!kft_plot_lengths(p, &first, &last))
		return;
	if (!init(&c, columns, ROWS)) {
		sb->failed = true;
		return;
	}
	kft_strbuf_addf(sb, "%s: how long ", p->kind);
	kft_strbuf_add_count(sb, p->count);
	kft_strbuf_adds(sb, p->count == 1 ? " was\n" : " were\n");
	put_distribution(p, columns - 10, is_unicode, first, last, sb);
	kft_strbuf_addf(sb, "\n%s: over time\n", p->kind);
	fill(p, first, last, &c);
	put_over_time(p, &c, is_unicode, first, last, sb);
	put_worst(p, sb);
}
