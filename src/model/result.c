// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds results: values and tables. */
#include "model/result.h"

#include <string.h>

void kft_result_finish(struct kft_result *r)
{
	kft_vec_for_each(&r->tables, t)
		kft_vec_finish(&(*t)->values);
	kft_vec_finish(&r->tables);
	kft_vec_finish(&r->fields);
	kft_arena_finish(&r->arena);
}

static void add(struct kft_result *r, const struct kft_result_field *field)
{
	if (!kft_vec_push(&r->fields, *field))
		r->failed = true;
}

void kft_result_add(struct kft_result *r, const char *key, const char *title,
		    struct kft_value value)
{
	add(r, &(struct kft_result_field){.key = key, .title = title, .value = value});
}

void kft_result_add_optional(struct kft_result *r, const char *key, const char *title,
			     struct kft_value value)
{
	add(r, &(struct kft_result_field){
		       .key = key, .title = title, .is_optional = true, .value = value});
}

struct kft_result_table *kft_result_add_table(struct kft_result *r, const char *key,
					      const struct kft_result_column *columns,
					      size_t n_columns)
{
	struct kft_result_table *t = kft_arena_alloc(&r->arena, sizeof(*t));

	if (!t || !kft_vec_push(&r->tables, t)) {
		r->failed = true;
		return NULL;
	}
	t->result = r;
	t->key = key;
	t->columns = columns;
	t->n_columns = n_columns;
	return t;
}

void kft_result_put(struct kft_result_table *t, struct kft_value value)
{
	if (t && !kft_vec_push(&t->values, value))
		t->result->failed = true;
}

size_t kft_result_rows(const struct kft_result_table *t)
{
	return t->make ? t->n_made : t->values.len / t->n_columns;
}

const struct kft_value *kft_result_row(const struct kft_result_table *t, size_t row,
				       struct kft_value *made)
{
	if (!t->make)
		return &t->values.data[row * t->n_columns];
	t->make(t, row, made);
	return made;
}

static struct kft_value copy_text(struct kft_result *r, enum kft_value_kind kind,
				  const char *text, size_t len)
{
	const char *copy = len > UINT32_MAX ? NULL
					    : kft_arena_strndup(&r->arena, text, len);

	if (!copy)
		r->failed = true;
	return (struct kft_value){
		.kind = kind, .text = copy ? copy : "", .len = copy ? (uint32_t)len : 0};
}

struct kft_value kft_value_textn(struct kft_result *r, const char *text, size_t len)
{
	return copy_text(r, KFT_VALUE_TEXT, text, len);
}

struct kft_value kft_value_text(struct kft_result *r, const char *text)
{
	return copy_text(r, KFT_VALUE_TEXT, text, strlen(text));
}

struct kft_value kft_value_task(struct kft_result *r, const char *comm)
{
	return copy_text(r, KFT_VALUE_TASK, comm, strlen(comm));
}

struct kft_value kft_value_function(struct kft_result *r, const char *name)
{
	return copy_text(r, KFT_VALUE_FUNCTION, name, strlen(name));
}
