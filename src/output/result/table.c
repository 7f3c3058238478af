// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lays out tables of text. */
#include "output/result/table.h"

#include "output/result/text_width.h"

#define COLUMN_GAP 2

/* The narrowest column for wrapped text: most words and names of tasks fit into it. */
#define TEXT_WIDTH_MIN ((size_t)16)

/* Marks a hidden column in an array of widths. */
#define HIDDEN SIZE_MAX

void kft_table_finish(struct kft_table *t)
{
	kft_strbuf_finish(&t->text);
	kft_vec_finish(&t->cells);
}

/* Turns the text since start into the next cell. */
static void end_cell(struct kft_table *t, size_t start)
{
	/* Makes buf non-NULL even if the first cell is empty. */
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

void kft_table_mark(struct kft_table *t, enum kft_table_look look)
{
	if (t->cells.len)
		t->cells.data[t->cells.len - 1].look = look;
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

/* The least width of a column. Numbers and titles are never wrapped. */
static size_t least_width(const struct kft_table *t, const size_t *widths, size_t column)
{
	if (t->columns[column].right)
		return widths[column];
	return KFT_MIN(widths[column], KFT_MAX(title_width(t, column), TEXT_WIDTH_MIN));
}

/* Computes the width of the whole table without wrapping (most) and with all text wrapped. */
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

/* Hides details before other columns, from right to left. The first column is never hidden. */
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

/* Half of the columns that are not details may be hidden, rounded down. */
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
 * Makes the table as narrow as the terminal: hides columns until the rest fits with wrapped text.
 * Returns false if too many columns would have to be hidden.
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

/* Writes a piece of a cell with its padding. */
static void write_piece(const struct kft_table *t, size_t column, size_t width,
			const char *s, size_t len, enum kft_table_look look,
			struct kft_strbuf *sb)
{
	static const char *const looks[] = {
		[KFT_TABLE_TITLE] = "\033[1m",
		[KFT_TABLE_WORST] = "\033[1;31m",
		[KFT_TABLE_LOST] = "\033[33m",
	};
	bool is_marked = t->colour && look != KFT_TABLE_PLAIN && len;
	size_t blanks = width - kft_text_width(s, len);
	bool right = t->columns[column].right;

	kft_strbuf_fill(sb, ' ', (column ? COLUMN_GAP : 0) + (right ? blanks : 0));
	kft_strbuf_adds(sb, is_marked ? looks[look] : "");
	kft_strbuf_add(sb, s, len);
	kft_strbuf_adds(sb, is_marked ? "\033[0m" : "");
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
			write_piece(t, i, widths[i], title, strlen(title),
				    KFT_TABLE_TITLE, sb);
	}
	end_line(sb);
}

/* Writes one line of a row. rests is set to the text of the next lines; false: none is left. */
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
		write_piece(t, i, widths[i], s, len, c->look, sb);
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

/* Writes each cell on a line of its own, for terminals that are too narrow for the columns. */
static void write_cells(const struct kft_table *t, struct kft_strbuf *sb)
{
	static const struct kft_table_column columns[] = {{NULL}, {NULL}};

	for (size_t row = 0; row < t->cells.len; row += t->n_columns) {
		_cleanup_(kft_table_finish) struct kft_table one = KFT_TABLE(columns);

		one.width = t->width;
		one.colour = t->colour;
		for (size_t i = 0; i < t->n_columns; i++) {
			const struct kft_table_cell *c = &t->cells.data[row + i];

			kft_table_text(&one, t->columns[i].title);
			kft_table_mark(&one, KFT_TABLE_TITLE);
			kft_table_textn(&one, t->text.buf + c->start, c->len);
			kft_table_mark(&one, c->look);
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
