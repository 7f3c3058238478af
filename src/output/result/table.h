/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "base/vec.h"

/*
 * A text table: columns as wide as their widest cell on a terminal, two blanks between them, no
 * blanks at the end of a line. Cells are added row by row. If the table is wider than the
 * terminal, text is wrapped and columns are hidden; a line below the table lists these. If hiding
 * all details and half of the other columns is not enough, each cell gets a line of its own,
 * after its column's title.
 *
 *	struct kft_table t = KFT_TABLE(columns);
 *	kft_table_text(&t, "sched_switch");
 *	kft_table_text(&t, "1,234");
 *	kft_table_write(&t, sb);
 *	kft_table_finish(&t);
 */
struct kft_table_column {
	const char *title; /* NULL in all columns: no title line */
	bool right; /* right-aligned, for numbers */
	bool detail; /* hidden before others when the terminal is too narrow */
};

/* How cells and titles look on a terminal with colours. */
enum kft_table_look { KFT_TABLE_PLAIN, KFT_TABLE_TITLE, KFT_TABLE_WORST, KFT_TABLE_LOST };

struct kft_table_cell {
	size_t start; /* in kft_table.text */
	size_t len; /* bytes */
	size_t width; /* columns on a terminal */
	enum kft_table_look look;
};

struct kft_table {
	const struct kft_table_column *columns; /* borrowed */
	size_t n_columns;
	size_t width; /* columns of the terminal; 0: no limit */
	bool colour; /* the terminal shows looks */
	struct kft_strbuf text; /* text of all cells, one after another */
	KFT_VEC(struct kft_table_cell) cells;
};

#define KFT_TABLE(cols)                                          \
	{                                                        \
		.columns = (cols), .n_columns = ARRAY_SIZE(cols) \
	}

void kft_table_finish(struct kft_table *t);

/* Adds the next cell. Text is escaped, because it may come from a trace. */
void kft_table_text(struct kft_table *t, const char *s);
void kft_table_textn(struct kft_table *t, const char *s, size_t len);

/* Gives the last cell a look. */
void kft_table_mark(struct kft_table *t, enum kft_table_look look);

/* Appends the table. Lack of memory while adding cells marks sb as failed. */
void kft_table_write(const struct kft_table *t, struct kft_strbuf *sb);
