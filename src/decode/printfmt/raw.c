// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints single fields, as text and JSON. */
#include "decode/printfmt/raw.h"

#include <ctype.h>
#include <string.h>

#include "decode/printfmt/text.h"

static bool is_array(const struct kft_field *f)
{
	return f->place != KFT_FIELD_INLINE || f->kind == KFT_FIELD_STRING ||
	       f->kind == KFT_FIELD_ARRAY || strchr(f->type, '[');
}

/* Whether an array of this type is shown as text, provided that it holds nothing else. */
static bool may_be_text(const struct kft_field *f)
{
	return strstr(f->type, "char") || strstr(f->type, "u8") || strstr(f->type, "s8");
}

static bool is_printable(struct kft_bytes b)
{
	for (size_t i = 0; i < b.len && b.p[i]; i++)
		if (b.p[i] >= 0x7f || (b.p[i] < 0x20 && !isspace(b.p[i])))
			return false;
	return true;
}

static void add_array(const struct kft_print_ctx *c, const struct kft_field *f,
		      struct kft_strbuf *sb)
{
	struct kft_bytes b = kft_eval_field(c, f);

	if (may_be_text(f) && is_printable(b)) {
		kft_strbuf_add_escaped(sb, (const char *)b.p,
				       strnlen((const char *)b.p, b.len));
		return;
	}
	kft_strbuf_adds(sb, "ARRAY[");
	for (size_t i = 0; i < b.len; i++) {
		if (i)
			kft_strbuf_add(sb, ", ", 2);
		kft_strbuf_addx(sb, b.p[i], 2);
	}
	kft_strbuf_addc(sb, ']');
}

static uint64_t load(const struct kft_print_ctx *c, const struct kft_field *f)
{
	uint64_t v = kft_load_sized(c->data + f->offset, f->size, c->swap);

	return kft_expr_norm(v, f->size, f->is_signed);
}

static void add_hex(struct kft_strbuf *sb, uint64_t v)
{
	kft_strbuf_add(sb, "0x", 2);
	kft_strbuf_addx(sb, v, 1);
}

static void add_number(const struct kft_print_ctx *c, const struct kft_field *f,
		       struct kft_strbuf *sb)
{
	struct kft_directive d = {.conv = KFT_CONV_SIGNED, .size = 8, .precision = -1};
	uint64_t v = load(c, f);
	bool is_long = strstr(f->type, "long");

	if (f->is_pointer || (is_long && !f->is_signed) || (is_long && f->size == 4)) {
		add_hex(sb, kft_expr_norm(v, f->size, false));
	} else if (f->is_signed) {
		d.width = f->size == 2 ? 2 : 0;
		kft_directive_add_number(&d, v, sb);
	} else {
		kft_strbuf_addu(sb, v, 1);
	}
}

static const struct kft_expr *without_casts(const struct kft_expr *e)
{
	while (e->op == KFT_EXPR_CAST)
		e = e->a;
	return e;
}

/* The expression that the operation prints; NULL for constant text. */
static const struct kft_expr *op_arg(const struct kft_print_op *op)
{
	if (op->kind == KFT_PRINT_END || op->kind == KFT_PRINT_STRING)
		return NULL;
	return op->kind == KFT_PRINT_TEXT ? op->expr : op->directive->arg;
}

static bool prints_field(const struct kft_print_op *op, const struct kft_field *f)
{
	const struct kft_expr *e = op_arg(op);

	if (!e)
		return false;
	e = without_casts(e);
	return e->op == KFT_EXPR_LOAD && e->offset == f->offset &&
	       e->load_size == f->size;
}

static void run_op(const struct kft_print_ctx *c, const struct kft_print_op *op,
		   struct kft_strbuf *sb)
{
	if (op->text_len >= 2 && memcmp(op->text + op->text_len - 2, "0x", 2) == 0)
		kft_strbuf_add(sb, "0x", 2);
	if (op->kind == KFT_PRINT_TEXT)
		kft_eval_text(c, op->expr, SIZE_MAX, sb);
	else
		kft_print_directive(op->directive, c, sb);
}

void kft_raw_add_field(const struct kft_print_ctx *c, const struct kft_field *f,
		       const struct kft_print_program *program, struct kft_strbuf *sb)
{
	if (is_array(f)) {
		add_array(c, f, sb);
		return;
	}
	if (f->kind != KFT_FIELD_INT) {
		kft_strbuf_addc(sb, '0');
		return;
	}
	for (const struct kft_print_op *op = program ? program->ops : NULL;
	     op && op->kind != KFT_PRINT_END; op++) {
		if (prints_field(op, f)) {
			run_op(c, op, sb);
			return;
		}
	}
	add_number(c, f, sb);
}

void kft_raw_add_fields(const struct kft_print_ctx *c, const struct kft_class *cls,
			const struct kft_print_program *program, struct kft_strbuf *sb)
{
	for (uint32_t i = cls->n_common; i < cls->n_fields; i++) {
		kft_strbuf_addc(sb, ' ');
		kft_strbuf_add_escaped(sb, cls->fields[i].name,
				       strlen(cls->fields[i].name));
		kft_strbuf_addc(sb, '=');
		kft_raw_add_field(c, &cls->fields[i], program, sb);
	}
}

static void add_json_number(const struct kft_field *f, uint64_t v, struct kft_strbuf *sb)
{
	if (f->is_signed)
		kft_strbuf_addi(sb, v);
	else
		kft_strbuf_addu(sb, v, 1);
}

static void add_json_array(const struct kft_print_ctx *c, const struct kft_field *f,
			   struct kft_strbuf *sb)
{
	struct kft_bytes b = kft_eval_field(c, f);

	kft_strbuf_addc(sb, '[');
	for (size_t i = 0; i + f->elem_size <= b.len; i += f->elem_size) {
		uint64_t v = kft_load_sized(b.p + i, f->elem_size, c->swap);

		if (i)
			kft_strbuf_addc(sb, ',');
		add_json_number(f, kft_expr_norm(v, f->elem_size, f->is_signed), sb);
	}
	kft_strbuf_addc(sb, ']');
}

static void add_json_string(const struct kft_print_ctx *c, const struct kft_field *f,
			    struct kft_strbuf *sb)
{
	struct kft_bytes b = kft_eval_field(c, f);
	const char *s = (const char *)b.p;

	kft_strbuf_addc(sb, '"');
	kft_strbuf_add_json(sb, s, strnlen(s, b.len));
	kft_strbuf_addc(sb, '"');
}

void kft_raw_add_json(const struct kft_print_ctx *c, const struct kft_field *f,
		      struct kft_strbuf *sb)
{
	if (f->offset > c->size || f->size > c->size - f->offset) {
		kft_strbuf_adds(sb, "null");
		return;
	}
	switch (f->kind) {
	case KFT_FIELD_INT:
		add_json_number(f, load(c, f), sb);
		break;
	case KFT_FIELD_STRING:
		add_json_string(c, f, sb);
		break;
	default:
		add_json_array(c, f, sb);
	}
}
