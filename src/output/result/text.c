// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints results as text. */
#include "output/result.h"

#include "base/units.h"
#include "output/result/table.h"
#include "output/time.h"

/* Appends "12.3": thousandths per second, rounded to tenths. */
static void add_rate(struct kft_strbuf *sb, uint64_t thousandths)
{
	uint64_t tenths = thousandths / 100 + (thousandths % 100 >= 50);

	kft_strbuf_add_count(sb, tenths / 10);
	kft_strbuf_addc(sb, '.');
	kft_strbuf_addu(sb, tenths % 10, 1);
}

static void add_stamp(struct kft_strbuf *sb, enum kft_clock_unit unit, uint64_t ts)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf padded = {};

	kft_strbuf_add_ts(&padded, unit, ts);
	const char *s = kft_strbuf_cstr(&padded);
	kft_strbuf_adds(sb, s + strspn(s, " "));
}

static void add_value(struct kft_strbuf *sb, const struct kft_value *v)
{
	switch (v->kind) {
	case KFT_VALUE_NONE:
		kft_strbuf_addc(sb, '-');
		break;
	case KFT_VALUE_TEXT:
	case KFT_VALUE_TASK:
	case KFT_VALUE_FUNCTION:
		kft_strbuf_add_escaped(sb, v->text, v->len);
		break;
	case KFT_VALUE_BOOL:
		kft_strbuf_adds(sb, v->number ? "yes" : "no");
		break;
	case KFT_VALUE_COUNT:
	case KFT_VALUE_LOST:
		kft_strbuf_add_count(sb, v->number);
		break;
	case KFT_VALUE_BYTES:
		kft_strbuf_add_bytes(sb, v->number);
		break;
	case KFT_VALUE_CPU:
	case KFT_VALUE_PID:
	case KFT_VALUE_ID:
		kft_strbuf_addu(sb, v->number, 1);
		break;
	case KFT_VALUE_INTEGER:
		kft_strbuf_addi(sb, (int64_t)v->number);
		break;
	case KFT_VALUE_TIME:
		add_stamp(sb, KFT_CLOCK_NS, v->number);
		break;
	case KFT_VALUE_TICKS:
		add_stamp(sb, KFT_CLOCK_COUNT, v->number);
		break;
	case KFT_VALUE_DURATION:
		kft_strbuf_add_duration(sb, v->number);
		break;
	case KFT_VALUE_RATE:
		add_rate(sb, v->number);
		break;
	case KFT_VALUE_RATIO:
		/* Rounds to tenths of a percent. */
		add_rate(sb, v->number / 10);
		kft_strbuf_adds(sb, " %");
		break;
	}
}

static void put_value(struct kft_table *t, const struct kft_value *v, bool is_most)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf cell = {};

	add_value(&cell, v);
	/* Escaping twice is harmless: escaped text has no control characters. */
	kft_table_textn(t, kft_strbuf_cstr(&cell), cell.len);
	if (is_most)
		kft_table_mark(t, KFT_TABLE_WORST);
	else if (v->kind == KFT_VALUE_LOST && v->number)
		kft_table_mark(t, KFT_TABLE_LOST);
}

/* For CPUs and pids, 0 is a valid value: the first CPU and the idle task. */
static bool is_empty(const struct kft_value *v)
{
	if (v->kind == KFT_VALUE_CPU || v->kind == KFT_VALUE_PID)
		return false;
	return v->kind == KFT_VALUE_NONE || (kft_value_is_text(v) ? !v->len : !v->number);
}

static void write_fields(const struct kft_result *r, const struct kft_output_how *how,
			 struct kft_strbuf *sb)
{
	static const struct kft_table_column columns[] = {{NULL}, {NULL}};
	_cleanup_(kft_table_finish) struct kft_table t = KFT_TABLE(columns);

	t.width = how->width;
	t.colour = how->colour;
	kft_vec_for_each(&r->fields, f) {
		if (f->is_optional && is_empty(&f->value))
			continue;
		kft_table_text(&t, f->title);
		put_value(&t, &f->value, false);
	}
	kft_table_write(&t, sb);
}

static bool is_hidden(const struct kft_result_table *t, size_t column)
{
	struct kft_value made[KFT_RESULT_COLUMNS_MAX];

	if (t->columns[column].for_programs)
		return true;
	if (!t->columns[column].is_optional)
		return false;
	for (size_t row = 0; row < kft_result_rows(t); row++)
		if (!is_empty(&kft_result_row(t, row, made)[column]))
			return false;
	return true;
}

/* A table without rows is hidden, and so is an optional one with only empty values. */
static bool is_table_hidden(const struct kft_result_table *t)
{
	if (!kft_result_rows(t))
		return true;
	if (!t->is_optional)
		return false;
	for (size_t i = 0; i < t->n_columns; i++)
		if (t->columns[i].is_optional && !t->columns[i].is_text &&
		    !is_hidden(t, i))
			return false;
	return true;
}

/* Selects the columns to show, as indices into those of the result. */
static size_t choose_columns(const struct kft_result_table *rt, size_t *indices,
			     struct kft_table_column *columns)
{
	size_t n = 0;

	for (size_t i = 0; i < rt->n_columns; i++) {
		const struct kft_result_column *c = &rt->columns[i];

		if (is_hidden(rt, i))
			continue;
		columns[n] = (struct kft_table_column){
			.title = c->title, .right = !c->is_text, .detail = c->is_detail};
		indices[n++] = i;
	}
	return n;
}

/* The row with the greatest value of a column that marks it; SIZE_MAX: none. */
static size_t find_most(const struct kft_result_table *rt, size_t column, size_t shown)
{
	struct kft_value made[KFT_RESULT_COLUMNS_MAX];
	uint64_t greatest = 0;
	size_t most = SIZE_MAX;

	for (size_t row = 0; rt->columns[column].marks_most && row < shown; row++) {
		const struct kft_value *v = &kft_result_row(rt, row, made)[column];

		if (!is_empty(v) && v->number > greatest) {
			greatest = v->number;
			most = row;
		}
	}
	return most;
}

/* Says how many rows are not shown, and their sum if the table begins with shares. */
static void add_hidden(const struct kft_result_table *t, size_t shown,
		       const struct kft_output_how *how, struct kft_strbuf *sb)
{
	struct kft_value made[KFT_RESULT_COLUMNS_MAX];
	struct kft_value sum = {.kind = KFT_VALUE_RATIO};
	size_t rows = kft_result_rows(t);
	bool has_shares = t->columns[0].marks_most;

	for (size_t row = shown; row < rows && has_shares; row++) {
		const struct kft_value *v = kft_result_row(t, row, made);

		has_shares = v->kind == sum.kind;
		sum.number += v->number;
	}
	kft_strbuf_addf(sb, "... and %zu more", rows - shown);
	if (has_shares) {
		kft_strbuf_adds(sb, ", together ");
		add_value(sb, &sum);
	}
	kft_strbuf_addf(sb, " (%s)\n", how->all_option ? how->all_option : "--all");
}

void kft_result_table_text(const struct kft_result_table *rt,
			   const struct kft_output_how *how, struct kft_strbuf *sb)
{
	_cleanup_free_ struct kft_table_column *columns = calloc(rt->n_columns,
								 sizeof(*columns));
	_cleanup_free_ size_t *indices = calloc(rt->n_columns, sizeof(*indices));
	_cleanup_(kft_table_finish) struct kft_table t = {
		.columns = columns, .width = how->width, .colour = how->colour};
	struct kft_value made[KFT_RESULT_COLUMNS_MAX];
	size_t most[KFT_RESULT_COLUMNS_MAX];
	size_t rows = kft_result_rows(rt);
	size_t shown = how->all || !rt->top ? rows : KFT_MIN(rows, rt->top);

	if (!columns || !indices) {
		sb->failed = true;
		return;
	}
	t.n_columns = choose_columns(rt, indices, columns);
	for (size_t i = 0; i < t.n_columns; i++)
		most[i] = find_most(rt, indices[i], shown);
	for (size_t row = 0; row < shown; row++) {
		const struct kft_value *v = kft_result_row(rt, row, made);

		for (size_t i = 0; i < t.n_columns; i++)
			put_value(&t, &v[indices[i]], row == most[i]);
	}
	kft_table_write(&t, sb);
	if (shown < rows)
		add_hidden(rt, shown, how, sb);
}

void kft_result_text(const struct kft_result *r, const struct kft_output_how *how,
		     struct kft_strbuf *sb)
{
	if (!kft_result_ok(r))
		sb->failed = true;
	write_fields(r, how, sb);
	kft_vec_for_each(&r->tables, t) {
		if (is_table_hidden(*t))
			continue;
		kft_strbuf_addc(sb, '\n');
		kft_result_table_text(*t, how, sb);
	}
}
