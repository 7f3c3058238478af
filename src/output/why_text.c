// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints the result of kft why for people. */
#include "output/why_text.h"

#include "output/result/text_width.h"

static const struct kft_result_field *find_field(const struct kft_result *r,
						 const char *key)
{
	kft_vec_for_each(&r->fields, f)
		if (strcmp(f->key, key) == 0)
			return f;
	return NULL;
}

/* Appends a text field. Texts for people are already escaped. */
static void add_field(const struct kft_result *r, const char *key, size_t width,
		      struct kft_strbuf *sb)
{
	const struct kft_result_field *f = find_field(r, key);

	if (!f || !kft_value_is_text(&f->value) || !f->value.len)
		return;
	kft_text_wrap(f->value.text, f->value.len, width, sb);
}

static void add_strangest(const struct kft_result *r, size_t width, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "Furthest from its usual duration in the command's tasks:\n");
	add_field(r, "strangest", width, sb);
	kft_strbuf_addc(sb, '\n');
}

void kft_why_text(const struct kft_result *r, const struct kft_output_how *how,
		  struct kft_strbuf *sb)
{
	if (!kft_result_ok(r))
		sb->failed = true;
	add_field(r, "sentence", how->width, sb);
	kft_vec_for_each(&r->tables, t) {
		if (strcmp((*t)->key, "segments") == 0 && !how->all)
			continue;
		kft_strbuf_addc(sb, '\n');
		if (strcmp((*t)->key, "strangest_rows") == 0)
			add_strangest(r, how->width, sb);
		kft_result_table_text(*t, how, sb);
	}
	size_t before = sb->len;

	kft_strbuf_addc(sb, '\n');
	add_field(r, "remarks", how->width, sb);
	if (sb->len == before + 1)
		sb->len = before;
}
