// SPDX-License-Identifier: LGPL-2.1-or-later
#include "output/result.h"

#include "output/json.h"

static void write_value(struct kft_json *j, const struct kft_value *v)
{
	switch (v->kind) {
	case KFT_VALUE_NONE:
		kft_json_null(j);
		break;
	case KFT_VALUE_TEXT:
		kft_json_strn(j, v->text, v->len);
		break;
	case KFT_VALUE_BOOL:
		kft_json_bool(j, v->number);
		break;
	case KFT_VALUE_INTEGER:
		kft_json_i64(j, (int64_t)v->number);
		break;
	case KFT_VALUE_RATE:
		kft_json_decimal(j, v->number, 3);
		break;
	default:
		kft_json_exact(j, v->number);
	}
}

static void write_row(struct kft_json *j, const struct kft_result_table *t, size_t row)
{
	kft_json_begin_object(j);
	for (size_t i = 0; i < t->n_columns; i++) {
		kft_json_key(j, t->columns[i].key);
		write_value(j, &t->values.data[row * t->n_columns + i]);
	}
	kft_json_end_object(j);
}

static void write_table(struct kft_json *j, const struct kft_result_table *t)
{
	kft_json_key(j, t->key);
	kft_json_begin_array(j);
	for (size_t row = 0; row < t->values.len / t->n_columns; row++)
		write_row(j, t, row);
	kft_json_end_array(j);
}

void kft_result_json(const struct kft_result *r, struct kft_strbuf *sb)
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
		write_table(&j, *t);
	kft_json_end_object(&j);
	kft_strbuf_addc(sb, '\n');
}
