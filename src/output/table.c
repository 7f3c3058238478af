// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lays out tables of text. */
#include "output/table.h"

#include "base/units.h"

#define COLUMN_GAP 2

struct code_range {
	uint32_t first;
	uint32_t last;
};

/* Unicode 15 EastAsianWidth.txt, W and F, in whole blocks: names in tasks, no prose. */
static const struct code_range wide[] = {
	{0x1100, 0x115f},   {0x2e80, 0x303e},	{0x3041, 0xa4cf},   {0xa960, 0xa97f},
	{0xac00, 0xd7a3},   {0xf900, 0xfaff},	{0xfe30, 0xfe6f},   {0xff00, 0xff60},
	{0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
	{0x20000, 0x3fffd},
};

/* Combining marks and variation selectors. */
static const struct code_range zero[] = {
	{0x300, 0x36f},	  {0x483, 0x489},   {0x591, 0x5bd},   {0x1ab0, 0x1aff},
	{0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

static bool in_ranges(uint32_t c, const struct code_range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c >= r[i].first && c <= r[i].last)
			return true;
	return false;
}

static size_t code_width(uint32_t c)
{
	if (c < 0x300)
		return 1;
	if (in_ranges(c, zero, ARRAY_SIZE(zero)))
		return 0;
	return in_ranges(c, wide, ARRAY_SIZE(wide)) ? 2 : 1;
}

size_t kft_text_width(const char *s, size_t len)
{
	size_t width = 0;

	for (size_t i = 0; i < len;) {
		unsigned char lead = s[i];
		size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
		uint32_t c = n == 1 ? lead : lead & (0x7f >> n);

		for (size_t k = 1; k < n && i + k < len; k++)
			c = c << 6 | (s[i + k] & 0x3f);
		width += code_width(c);
		i += n;
	}
	return width;
}

void kft_table_finish(struct kft_table *t)
{
	kft_strbuf_finish(&t->text);
	kft_vec_finish(&t->cells);
}

/* The text since start has become the next cell. */
static void end_cell(struct kft_table *t, size_t start)
{
	/* Also makes buf non-NULL for a first cell that is empty. */
	if (!kft_strbuf_reserve(&t->text, 0))
		return;
	struct kft_table_cell cell = {
		.start = start,
		.len = t->text.len - start,
		.width = kft_text_width(t->text.buf + start, t->text.len - start),
	};
	if (!kft_vec_push(&t->cells, cell))
		t->text.failed = true;
}

void kft_table_textn(struct kft_table *t, const char *s, size_t len)
{
	size_t start = t->text.len;

	kft_strbuf_add_escaped(&t->text, s, len);
	end_cell(t, start);
}

void kft_table_text(struct kft_table *t, const char *s)
{
	kft_table_textn(t, s, strlen(s));
}

static size_t column_width(const struct kft_table *t, size_t column)
{
	const char *title = t->columns[column].title;
	size_t width = title ? kft_text_width(title, strlen(title)) : 0;

	for (size_t i = column; i < t->cells.len; i += t->n_columns)
		width = KFT_MAX(width, t->cells.data[i].width);
	return width;
}

/* Blanks before and after a cell. The last column has none after it. */
static void write_cell(const struct kft_table *t, size_t column, size_t width,
		       const char *s, const struct kft_table_cell *cell,
		       struct kft_strbuf *sb)
{
	size_t blanks = width - cell->width;
	bool right = t->columns[column].right;
	bool last = column + 1 == t->n_columns;

	kft_strbuf_fill(sb, ' ', (column ? COLUMN_GAP : 0) + (right ? blanks : 0));
	kft_strbuf_add(sb, s, cell->len);
	kft_strbuf_fill(sb, ' ', right || last ? 0 : blanks);
	if (last) {
		while (sb->len && sb->buf[sb->len - 1] == ' ')
			sb->len--;
		kft_strbuf_addc(sb, '\n');
	}
}

static void write_titles(const struct kft_table *t, const size_t *widths,
			 struct kft_strbuf *sb)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		const char *title = t->columns[i].title ? t->columns[i].title : "";
		struct kft_table_cell cell = {.len = strlen(title)};

		cell.width = kft_text_width(title, cell.len);
		write_cell(t, i, widths[i], title, &cell, sb);
	}
}

void kft_table_write(const struct kft_table *t, struct kft_strbuf *sb)
{
	_cleanup_free_ size_t *widths = calloc(t->n_columns, sizeof(*widths));

	if (!widths || !kft_strbuf_ok(&t->text)) {
		sb->failed = true;
		return;
	}
	for (size_t i = 0; i < t->n_columns; i++)
		widths[i] = column_width(t, i);
	if (t->columns[0].title)
		write_titles(t, widths, sb);
	for (size_t i = 0; i < t->cells.len; i++) {
		const struct kft_table_cell *cell = &t->cells.data[i];
		size_t column = i % t->n_columns;

		write_cell(t, column, widths[column], t->text.buf + cell->start, cell,
			   sb);
	}
}
