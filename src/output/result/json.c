// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints results as JSON. */
#include "output/result/json.h"

void kft_result_json_number(struct kft_json *j, const struct kft_value *v)
{
	switch (v->kind) {
	case KFT_VALUE_BOOL:
		kft_json_bool(j, v->number);
		break;
	case KFT_VALUE_INTEGER:
		kft_json_i64(j, (int64_t)v->number);
		break;
	case KFT_VALUE_RATE:
		kft_json_decimal(j, v->number, 3);
		break;
	case KFT_VALUE_RATIO:
		kft_json_decimal(j, v->number, 6);
		break;
	default:
		kft_json_exact(j, v->number);
	}
}

static void write_value(struct kft_json *j, const struct kft_value *v)
{
	if (kft_value_is_text(v))
		kft_json_strn(j, v->text, v->len);
	else if (v->kind == KFT_VALUE_NONE)
		kft_json_null(j);
	else
		kft_result_json_number(j, v);
}

static void write_row(struct kft_json *j, const struct kft_result_table *t, size_t row)
{
	struct kft_value made[KFT_RESULT_COLUMNS_MAX];
	const struct kft_value *v = kft_result_row(t, row, made);

	kft_json_begin_object(j);
	for (size_t i = 0; i < t->n_columns; i++) {
		kft_json_key(j, t->columns[i].key);
		write_value(j, &v[i]);
	}
	kft_json_end_object(j);
}

static void write_table(struct kft_json *j, const struct kft_result_table *t,
			const struct kft_output_how *how)
{
	size_t n = kft_result_rows(t);

	kft_json_key(j, t->key);
	if (t->is_record && n == 1) {
		write_row(j, t, 0);
		return;
	}
	kft_json_begin_array(j);
	for (size_t row = 0; row < n; row++) {
		write_row(j, t, row);
		kft_output_drain(how);
	}
	kft_json_end_array(j);
}

void kft_result_json(const struct kft_result *r, const struct kft_output_how *how,
		     struct kft_strbuf *sb)
{
	struct kft_json j = {.sb = sb};

	if (!kft_result_ok(r))
		sb->failed = true;
	kft_json_begin_object(&j);
	kft_vec_for_each(&r->fields, f) {
		kft_json_key(&j, f->key);
		write_value(&j, &f->value);
	}
	kft_vec_for_each(&r->tables, t)
		write_table(&j, *t, how);
	kft_json_end_object(&j);
	kft_strbuf_addc(sb, '\n');
}
