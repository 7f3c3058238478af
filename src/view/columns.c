// SPDX-License-Identifier: LGPL-2.1-or-later
/* Encodes the items of a track as columns of small numbers. */
#include "view/columns.h"

#include "base/macro.h"

enum column {
	GAP,
	LENGTH,
	KEY,
	VALUE,
	OTHER,
	FLAGS,
	TEXT_LENGTH,
	AT_LEVEL_0,
	/* Columns of the other levels, which use the numbers of the texts' columns. */
	N = TEXT_LENGTH,
	CHILD,
	COUNT,
	NOT_BUSY,
	NOT_LONGEST,
	ABOVE_LEVEL_0,
};

void kft_view_varint(struct kft_strbuf *sb, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		kft_strbuf_addc(sb, (char)(0x80 | (v & 0x7f)));
	kft_strbuf_addc(sb, (char)v);
}

/* Maps small numbers of either sign to small unsigned ones. */
static uint64_t zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}

static uint64_t cell_above(const struct kft_view_item *i,
			   const struct kft_view_item *prev, int column)
{
	uint64_t length = i->end_ns - i->begin_ns;

	switch (column) {
	case N:
		return i->n;
	case CHILD:
		return i->child - (prev ? prev->child : 0);
	case COUNT:
		return i->count;
	case NOT_BUSY:
		return length - i->busy_ns;
	default:
		return length - i->max_ns;
	}
}

static uint64_t cell(const struct kft_view_item *i, const struct kft_view_item *prev,
		     int column, unsigned int level)
{
	switch (column) {
	case GAP:
		return i->begin_ns - (prev ? prev->end_ns : 0);
	case LENGTH:
		return i->end_ns - i->begin_ns;
	case KEY:
		return i->key;
	case VALUE:
		return i->value == KFT_INTERVAL_NO_VALUE ? 0 : zigzag(i->value) + 1;
	case OTHER:
		return zigzag(i->other);
	case FLAGS:
		return i->flags & ~KFT_VIEW_PEAK;
	default:
		return level ? cell_above(i, prev, column) : i->text_len;
	}
}

static bool is_constant(const struct kft_view_item *items, size_t n, int column,
			unsigned int level)
{
	uint64_t first = cell(&items[0], NULL, column, level);

	for (size_t i = 1; i < n; i++)
		if (cell(&items[i], &items[i - 1], column, level) != first)
			return false;
	return true;
}

void kft_view_columns(const struct kft_view_item *items, size_t n, unsigned int level,
		      const struct kft_strbuf *texts, struct kft_strbuf *ret)
{
	int n_columns = level ? ABOVE_LEVEL_0 : AT_LEVEL_0;

	for (int column = 0; column < n_columns; column++) {
		bool constant = is_constant(items, n, column, level);

		kft_strbuf_addc(ret, constant ? 0 : 1);
		for (size_t i = 0; i < (constant ? 1 : n); i++)
			kft_view_varint(ret, cell(&items[i], i ? &items[i - 1] : NULL,
						  column, level));
	}
	for (size_t i = 0; i < n && !level; i++)
		if (items[i].text_len)
			kft_strbuf_add(ret, texts->buf + items[i].text,
				       items[i].text_len);
}
