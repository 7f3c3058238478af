// SPDX-License-Identifier: LGPL-2.1-or-later
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

struct kft_value kft_value_textn(struct kft_result *r, const char *text, size_t len)
{
	const char *copy = kft_arena_strndup(&r->arena, text, len);

	if (!copy)
		r->failed = true;
	return (struct kft_value){
		.kind = KFT_VALUE_TEXT, .text = copy ? copy : "", .len = copy ? len : 0};
}

struct kft_value kft_value_text(struct kft_result *r, const char *text)
{
	return kft_value_textn(r, text, strlen(text));
}

struct kft_value kft_value_number(enum kft_value_kind kind, uint64_t number)
{
	return (struct kft_value){.kind = kind, .number = number};
}
