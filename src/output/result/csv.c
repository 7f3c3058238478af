// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints results as comma separated values (RFC 4180); see docs/formats/csv.md. */
#include "output/csv.h"
#include "output/result/json.h"

static bool needs_quotes(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (s[i] == ',' || s[i] == '"' || s[i] == ' ')
			return true;
	return false;
}

static void add_text(struct kft_strbuf *sb, const char *s, size_t len)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf safe = {};

	/* Escaped text contains no line breaks and no control sequences. */
	kft_strbuf_add_escaped(&safe, s, len);
	sb->failed |= safe.failed;
	if (needs_quotes(safe.buf, safe.len))
		kft_csv_add_quoted(sb, safe.buf, safe.len);
	else
		kft_strbuf_add(sb, safe.buf, safe.len);
}

/* Appends a number as in JSON; an unknown value is left empty. */
static void add_value(struct kft_strbuf *sb, const struct kft_value *v)
{
	struct kft_json j = {.sb = sb};

	if (kft_value_is_text(v))
		add_text(sb, v->text, v->len);
	else if (v->kind != KFT_VALUE_NONE)
		kft_result_json_number(&j, v);
}

static void write_fields(const struct kft_result *r, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "table,key,value\n");
	kft_vec_for_each(&r->fields, f) {
		kft_strbuf_adds(sb, "result,");
		kft_strbuf_adds(sb, f->key);
		kft_strbuf_addc(sb, ',');
		add_value(sb, &f->value);
		kft_strbuf_addc(sb, '\n');
	}
}

static void write_table(const struct kft_result_table *t,
			const struct kft_output_how *how, struct kft_strbuf *sb)
{
	struct kft_value made[KFT_RESULT_COLUMNS_MAX];
	size_t n = kft_result_rows(t);

	kft_strbuf_adds(sb, "table");
	for (size_t i = 0; i < t->n_columns; i++) {
		kft_strbuf_addc(sb, ',');
		kft_strbuf_adds(sb, t->columns[i].key);
	}
	kft_strbuf_addc(sb, '\n');
	for (size_t row = 0; row < n; row++) {
		const struct kft_value *v = kft_result_row(t, row, made);

		kft_strbuf_adds(sb, t->key);
		for (size_t i = 0; i < t->n_columns; i++) {
			kft_strbuf_addc(sb, ',');
			add_value(sb, &v[i]);
		}
		kft_strbuf_addc(sb, '\n');
		kft_output_drain(how);
	}
}

void kft_result_csv(const struct kft_result *r, const struct kft_output_how *how,
		    struct kft_strbuf *sb)
{
	if (!kft_result_ok(r))
		sb->failed = true;
	write_fields(r, sb);
	kft_vec_for_each(&r->tables, t) {
		kft_strbuf_addc(sb, '\n');
		write_table(*t, how, sb);
	}
}
