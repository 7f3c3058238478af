// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints functions in the table layout of kd. */
#include "output/kd_table.h"

#define NS_PER_US 1000

/* The row that is being written. */
struct row {
	const struct kft_func_stats *stats;
	const struct kft_intern *names;
	const struct kft_func_stat *f;
};

struct column {
	char letter;
	const char *title;
	size_t width; /* width of the title; cells are not cut */
	enum { LEFT, RIGHT, AS_IT_IS } align;
	void (*add)(const struct row *row, struct kft_strbuf *sb);
};

static void add_name(const struct row *row, uint32_t func, struct kft_strbuf *sb)
{
	const struct kft_interned *s = &row->names->strings.data[func];

	kft_strbuf_add_escaped(sb, s->text, s->len);
}

/* Appends a time, or -1 for a function without a timed call. */
static void add_time(const struct row *row, uint64_t ns, struct kft_strbuf *sb)
{
	kft_strbuf_addi(sb, row->f->timed ? (int64_t)(ns / NS_PER_US) : -1);
}

static void add_function(const struct row *row, struct kft_strbuf *sb)
{
	add_name(row, row->f->func, sb);
}

static void add_count(const struct row *row, struct kft_strbuf *sb)
{
	kft_strbuf_addu(sb, row->f->calls, 1);
}

static void add_total(const struct row *row, struct kft_strbuf *sb)
{
	add_time(row, row->f->total_ns, sb);
}

static void add_average(const struct row *row, struct kft_strbuf *sb)
{
	add_time(row, row->f->timed ? row->f->sum_ns / row->f->timed : 0, sb);
}

static void add_range(const struct row *row, struct kft_strbuf *sb)
{
	kft_strbuf_addc(sb, '(');
	add_time(row, row->f->min_ns, sb);
	kft_strbuf_addc(sb, '-');
	add_time(row, row->f->max_ns, sb);
	kft_strbuf_addc(sb, ')');
}

static void add_sub(const struct row *row, struct kft_strbuf *sb)
{
	const struct kft_func_stat *f = row->f;

	add_time(row, f->total_ns > f->local_ns ? f->total_ns - f->local_ns : 0, sb);
}

static void add_local(const struct row *row, struct kft_strbuf *sb)
{
	add_time(row, row->f->local_ns, sb);
}

static void add_max_callee(const struct row *row, struct kft_strbuf *sb)
{
	const struct kft_callee_stat *max = kft_func_stat_max_callee(row->stats, row->f);

	if (max)
		add_name(row, max->func, sb);
}

static void add_max_count(const struct row *row, struct kft_strbuf *sb)
{
	const struct kft_callee_stat *max = kft_func_stat_max_callee(row->stats, row->f);

	kft_strbuf_addu(sb, max ? max->calls : 0, 1);
}

static void add_callees(const struct row *row, struct kft_strbuf *sb)
{
	const struct kft_callee_stat *callees = row->stats->callees.data;
	const char *between = "";

	kft_strbuf_addc(sb, '[');
	for (uint32_t i = row->f->first_callee; i != KFT_FUNC_STAT_NONE;
	     i = callees[i].next) {
		kft_strbuf_adds(sb, between);
		kft_strbuf_addc(sb, '\'');
		add_name(row, callees[i].func, sb);
		kft_strbuf_addc(sb, '\'');
		between = ", ";
	}
	kft_strbuf_addc(sb, ']');
}

static void add_on_time(const struct row *row, uint64_t ns, struct kft_strbuf *sb)
{
	if (row->stats->has_off)
		add_time(row, ns, sb);
	else
		kft_strbuf_addc(sb, '-');
}

static void add_on_total(const struct row *row, struct kft_strbuf *sb)
{
	add_on_time(row, row->f->on_total_ns, sb);
}

static void add_on_local(const struct row *row, struct kft_strbuf *sb)
{
	add_on_time(row, row->f->on_local_ns, sb);
}

static const struct column columns[] = {
	{'F', "Function", 35, LEFT, add_function},
	{'c', "Count", 5, RIGHT, add_count},
	{'t', "Time", 8, RIGHT, add_total},
	{'a', "Average", 8, RIGHT, add_average},
	{'r', "Range", 12, RIGHT, add_range},
	{'s', "Sub-time", 8, RIGHT, add_sub},
	{'l', "Local", 8, RIGHT, add_local},
	{'m', "Max-sub", 35, RIGHT, add_max_callee},
	{'n', "Ms count", 8, RIGHT, add_max_count},
	{'u', "Sub list", 20, AS_IT_IS, add_callees},
	{'T', "On-CPU", 8, RIGHT, add_on_total},
	{'L', "On-local", 8, RIGHT, add_on_local},
};

static const struct column *find_column(char letter)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (columns[i].letter == letter)
			return &columns[i];
	return NULL;
}

static void write_titles(const char *letters, struct kft_strbuf *sb)
{
	const char *between = "";

	for (const char *p = letters; *p; p++, between = " ") {
		const struct column *c = find_column(*p);

		kft_strbuf_adds(sb, between);
		size_t start = sb->len;

		kft_strbuf_adds(sb, c->title);
		kft_strbuf_pad(sb, start, c->width, false);
	}
	kft_strbuf_addc(sb, '\n');
	between = "";
	for (const char *p = letters; *p; p++, between = " ") {
		kft_strbuf_adds(sb, between);
		kft_strbuf_fill(sb, '-', find_column(*p)->width);
	}
	kft_strbuf_addc(sb, '\n');
}

static void write_row(const char *letters, const struct row *row, struct kft_strbuf *sb)
{
	const char *between = "";

	for (const char *p = letters; *p; p++, between = " ") {
		const struct column *c = find_column(*p);

		kft_strbuf_adds(sb, between);
		size_t start = sb->len;

		c->add(row, sb);
		if (c->align != AS_IT_IS)
			kft_strbuf_pad(sb, start, c->width, c->align == RIGHT);
	}
	kft_strbuf_addc(sb, '\n');
}

/*
 * Splits the letters: known ones are collected, and each of the
 * others gives a line of text.
 */
static void check_letters(const char *letters, struct kft_strbuf *known,
			  struct kft_strbuf *sb)
{
	for (const char *p = letters; *p; p++) {
		if (find_column(*p)) {
			kft_strbuf_addc(known, *p);
			continue;
		}
		kft_strbuf_adds(sb, "Invalid column id: ");
		kft_strbuf_add_escaped(sb, p, 1);
		kft_strbuf_addc(sb, '\n');
	}
}

void kft_kd_table_write(const struct kft_kd_table *table,
			const struct kft_func_stats *stats,
			const struct kft_intern *names, struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf known = {};
	uint64_t shown = 0;

	check_letters(table->columns, &known, sb);
	const char *letters = kft_strbuf_cstr(&known);

	write_titles(letters, sb);
	kft_vec_for_each(&stats->funcs, f) {
		struct row row = {stats, names, f};

		if (f->total_ns < table->min_total_ns ||
		    (table->top && shown >= table->top))
			continue;
		shown++;
		write_row(letters, &row, sb);
	}
}
