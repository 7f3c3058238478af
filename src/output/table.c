// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lays out tables of text. */
#include "output/table.h"

#include "base/units.h"
#include "output/text_width.h"

#define COLUMN_GAP 2

/* Text is not wrapped into narrower columns: most words and names of tasks fit. */
#define TEXT_WIDTH_MIN ((size_t)16)

/* The width of a column that is not shown. */
#define HIDDEN SIZE_MAX

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

static size_t title_width(const struct kft_table *t, size_t column)
{
	const char *title = t->columns[column].title;

	return title ? kft_text_width(title, strlen(title)) : 0;
}

static size_t column_width(const struct kft_table *t, size_t column)
{
	size_t width = title_width(t, column);

	for (size_t i = column; i < t->cells.len; i += t->n_columns)
		width = KFT_MAX(width, t->cells.data[i].width);
	return width;
}

/* Numbers are never wrapped, nor are titles. */
static size_t least_width(const struct kft_table *t, const size_t *widths, size_t column)
{
	if (t->columns[column].right)
		return widths[column];
	return KFT_MIN(widths[column], KFT_MAX(title_width(t, column), TEXT_WIDTH_MIN));
}

/* The width of the whole table, at most and with all text wrapped. */
static void add_up(const struct kft_table *t, const size_t *widths, size_t *most,
		   size_t *least)
{
	*most = *least = 0;
	for (size_t i = 0; i < t->n_columns; i++) {
		if (widths[i] == HIDDEN)
			continue;
		*most += widths[i] + (i ? COLUMN_GAP : 0);
		*least += least_width(t, widths, i) + (i ? COLUMN_GAP : 0);
	}
}

/* Details go first, those on the right before those on the left; the first column stays. */
static size_t next_to_hide(const struct kft_table *t, const size_t *widths)
{
	size_t last = 0;

	for (size_t i = t->n_columns; i-- > 1;) {
		if (widths[i] != HIDDEN && t->columns[i].detail)
			return i;
		if (widths[i] != HIDDEN && !last)
			last = i;
	}
	return last;
}

/* Half of the columns that are no details, rounded down. */
static size_t may_hide(const struct kft_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_columns; i++)
		n += !t->columns[i].detail;
	return n / 2;
}

static void wrap_widest(const struct kft_table *t, size_t *widths, size_t most)
{
	for (; most > t->width; most--) {
		size_t widest = 0, width = 0;

		for (size_t i = 0; i < t->n_columns; i++)
			if (widths[i] != HIDDEN && widths[i] > width &&
			    widths[i] > least_width(t, widths, i)) {
				widest = i;
				width = widths[i];
			}
		widths[widest]--;
	}
}

/*
 * Makes the table as narrow as the terminal: columns are hidden until it fits with wrapped text.
 * False when it would lose too many.
 */
static bool fit(const struct kft_table *t, size_t *widths)
{
	size_t most, least, left = may_hide(t);

	add_up(t, widths, &most, &least);
	while (t->width && least > t->width) {
		size_t column = next_to_hide(t, widths);

		if (!t->columns[column].title || (!t->columns[column].detail && !left--))
			return false;
		widths[column] = HIDDEN;
		add_up(t, widths, &most, &least);
	}
	if (t->width)
		wrap_widest(t, widths, most);
	return true;
}

/* Blanks before and after a piece of a cell. */
static void write_piece(const struct kft_table *t, size_t column, size_t width,
			const char *s, size_t len, struct kft_strbuf *sb)
{
	size_t blanks = width - kft_text_width(s, len);
	bool right = t->columns[column].right;

	kft_strbuf_fill(sb, ' ', (column ? COLUMN_GAP : 0) + (right ? blanks : 0));
	kft_strbuf_add(sb, s, len);
	kft_strbuf_fill(sb, ' ', right ? 0 : blanks);
}

static void end_line(struct kft_strbuf *sb)
{
	while (sb->len && sb->buf[sb->len - 1] == ' ')
		sb->len--;
	kft_strbuf_addc(sb, '\n');
}

static void write_titles(const struct kft_table *t, const size_t *widths,
			 struct kft_strbuf *sb)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		const char *title = t->columns[i].title ? t->columns[i].title : "";

		if (widths[i] != HIDDEN)
			write_piece(t, i, widths[i], title, strlen(title), sb);
	}
	end_line(sb);
}

/* One line of a row. rests becomes the text of its next lines; whether there is any. */
static bool write_line(const struct kft_table *t, const size_t *widths,
		       struct kft_table_cell *rests, struct kft_strbuf *sb)
{
	bool more = false;

	for (size_t i = 0; i < t->n_columns; i++) {
		struct kft_table_cell *c = &rests[i];
		const char *s = t->text.buf + c->start;

		if (widths[i] == HIDDEN)
			continue;
		size_t len = kft_text_line(s, c->len, widths[i]);
		write_piece(t, i, widths[i], s, len, sb);
		len += len < c->len && s[len] == ' ';
		c->start += len;
		c->len -= len;
		more |= c->len > 0;
	}
	end_line(sb);
	return more;
}

static void write_rows(const struct kft_table *t, const size_t *widths,
		       struct kft_table_cell *rests, struct kft_strbuf *sb)
{
	for (size_t row = 0; row < t->cells.len; row += t->n_columns) {
		memcpy(rests, &t->cells.data[row], t->n_columns * sizeof(*rests));
		while (write_line(t, widths, rests, sb))
			;
	}
}

static void write_hidden(const struct kft_table *t, const size_t *widths,
			 struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf note = {};

	for (size_t i = 0; i < t->n_columns; i++)
		if (widths[i] == HIDDEN)
			kft_strbuf_addf(
				&note, "%s%s",
				note.len ? ", "
					 : "(not shown, as the terminal is too narrow: ",
				t->columns[i].title);
	if (!note.len)
		return;
	kft_strbuf_addc(&note, ')');
	kft_text_wrap(kft_strbuf_cstr(&note), note.len, t->width, sb);
}

/* A line for each cell, on terminals that are too narrow for one line a row. */
static void write_cells(const struct kft_table *t, struct kft_strbuf *sb)
{
	static const struct kft_table_column columns[] = {{NULL}, {NULL}};

	for (size_t row = 0; row < t->cells.len; row += t->n_columns) {
		_cleanup_(kft_table_finish) struct kft_table one = KFT_TABLE(columns);

		one.width = t->width;
		for (size_t i = 0; i < t->n_columns; i++) {
			const struct kft_table_cell *c = &t->cells.data[row + i];

			kft_table_text(&one, t->columns[i].title);
			kft_table_textn(&one, t->text.buf + c->start, c->len);
		}
		if (row)
			kft_strbuf_addc(sb, '\n');
		kft_table_write(&one, sb);
	}
}

void kft_table_write(const struct kft_table *t, struct kft_strbuf *sb)
{
	_cleanup_free_ size_t *widths = calloc(t->n_columns, sizeof(*widths));
	_cleanup_free_ struct kft_table_cell *rests = calloc(t->n_columns,
							     sizeof(*rests));

	if (!widths || !rests || !kft_strbuf_ok(&t->text)) {
		sb->failed = true;
		return;
	}
	for (size_t i = 0; i < t->n_columns; i++)
		widths[i] = column_width(t, i);
	if (!fit(t, widths) && t->columns[0].title) {
		write_cells(t, sb);
		return;
	}
	if (t->columns[0].title)
		write_titles(t, widths, sb);
	write_rows(t, widths, rests, sb);
	write_hidden(t, widths, sb);
}
