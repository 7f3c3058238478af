// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compiles a parsed print format into a program over field offsets. */
#include <errno.h>
#include <string.h>

#include "base/vec.h"
#include "decode/printfmt/program.h"
#include "decode/printfmt/ptr.h"

struct compiler {
	struct kft_arena *arena;
	uint32_t long_size;
	const struct kft_expr *const *args;
	size_t n_args;
	size_t next_arg;
	KFT_VEC(struct kft_print_op) ops;
	struct kft_strbuf text; /* constant text that is not in an op yet */
	const char *why;
};

static void compiler_finish(struct compiler *k)
{
	kft_vec_finish(&k->ops);
	kft_strbuf_finish(&k->text);
}

static int fail(struct compiler *k, const char *why)
{
	k->why = why;
	return -EINVAL;
}

static int take_arg(struct compiler *k, const struct kft_expr **ret)
{
	if (k->next_arg == k->n_args)
		return fail(k, "fewer arguments than the format has places");
	*ret = k->args[k->next_arg++];
	return 0;
}

static int take_count(struct compiler *k, bool star, const struct kft_expr **ret)
{
	if (!star)
		return 0;
	int r = take_arg(k, ret);
	if (r == 0 && (*ret)->cls != KFT_EXPR_IS_NUMBER)
		return fail(k, "width that is not a number");
	return r;
}

static bool fits(const struct kft_directive *d)
{
	switch (d->conv) {
	case KFT_CONV_STRING:
		return true;
	case KFT_CONV_POINTER:
		return kft_print_pointer_fits(d, d->arg);
	default:
		return d->arg->cls == KFT_EXPR_IS_NUMBER;
	}
}

/* The expression without casts that change only bits above those that are printed. */
static const struct kft_expr *without_casts(const struct kft_directive *d)
{
	const struct kft_expr *e = d->arg;

	while (e->op == KFT_EXPR_CAST && d->size <= e->load_size)
		e = e->a;
	return e;
}

static uint8_t unsigned_kind(uint8_t size)
{
	return size == 1   ? KFT_PRINT_U8
	       : size == 2 ? KFT_PRINT_U16
	       : size == 4 ? KFT_PRINT_U32
			   : KFT_PRINT_U64;
}

/* The operation for a field printed in plain decimal. */
static uint8_t decimal_kind(const struct kft_directive *d, const struct kft_expr *e)
{
	bool is_signed = d->conv == KFT_CONV_SIGNED;

	if (e->op != KFT_EXPR_LOAD || !kft_directive_is_plain(d))
		return KFT_PRINT_DIRECTIVE;
	if (e->load_size == d->size && d->size >= 4) {
		if (is_signed)
			return d->size == 4 ? KFT_PRINT_S32 : KFT_PRINT_S64;
		return unsigned_kind(d->size);
	}
	if (e->load_size < d->size && !e->load_signed)
		return unsigned_kind(e->load_size);
	if (e->load_size == 4 && d->size == 8 && is_signed)
		return KFT_PRINT_S32;
	return KFT_PRINT_DIRECTIVE;
}

/* The operation for a field in lower-case hexadecimal, at most padded with zeros. */
static uint8_t hex_kind(const struct kft_directive *d, const struct kft_expr *e,
			uint8_t *ret_digits)
{
	bool zeros = d->zero && d->width > 0 && d->width <= 16;

	if (e->op != KFT_EXPR_LOAD || d->upper || d->left || d->alt || d->plus ||
	    d->space || d->precision >= 0 || d->star_width || d->star_precision)
		return KFT_PRINT_DIRECTIVE;
	if (d->width && !zeros)
		return KFT_PRINT_DIRECTIVE;
	*ret_digits = zeros ? d->width : 1;
	if (e->load_size == 8 && d->size == 8)
		return KFT_PRINT_X64;
	if (e->load_size == 4 && (d->size == 4 || (d->size == 8 && !e->load_signed)))
		return KFT_PRINT_X32;
	return KFT_PRINT_DIRECTIVE;
}

static uint8_t address_kind(const struct kft_directive *d)
{
	if (strcmp(d->suffix, "s") == 0)
		return KFT_PRINT_SYMBOL;
	if (strcmp(d->suffix, "S") == 0)
		return KFT_PRINT_SYMBOL_OFFSET;
	return d->suffix[0] ? KFT_PRINT_DIRECTIVE : KFT_PRINT_ADDRESS;
}

static bool is_string_field(const struct kft_expr *e)
{
	return e->op == KFT_EXPR_FIELD && e->field->place != KFT_FIELD_TAIL;
}

/* Chooses the fastest operation for the directive. */
static void choose_kind(struct compiler *k, const struct kft_directive *d,
			struct kft_print_op *op)
{
	const struct kft_expr *e = without_casts(d);

	op->kind = KFT_PRINT_DIRECTIVE;
	switch (d->conv) {
	case KFT_CONV_SIGNED:
	case KFT_CONV_UNSIGNED:
		op->kind = decimal_kind(d, e);
		op->offset = e->offset;
		break;
	case KFT_CONV_HEX:
		op->kind = hex_kind(d, e, &op->digits);
		op->offset = e->offset;
		break;
	case KFT_CONV_STRING:
		if (!kft_directive_is_plain(d))
			break;
		if (is_string_field(d->arg)) {
			op->kind = KFT_PRINT_STRING;
			op->field = d->arg->field;
			return;
		}
		op->kind = KFT_PRINT_TEXT;
		op->expr = d->arg;
		return;
	case KFT_CONV_POINTER:
		if (e->op == KFT_EXPR_LOAD && e->load_size == k->long_size) {
			op->kind = address_kind(d);
			op->offset = e->offset;
		}
		break;
	default:
		break;
	}
	op->directive = d;
}

static int flush(struct compiler *k, struct kft_print_op *op)
{
	size_t len;

	op->text = kft_expr_literal(k->arena, k->text.buf, k->text.len, &len);
	if (!op->text || !kft_strbuf_ok(&k->text))
		return -ENOMEM;
	op->text_len = len;
	kft_strbuf_clear(&k->text);
	return kft_vec_push(&k->ops, *op) ? 0 : -ENOMEM;
}

static int add_directive(struct compiler *k, const struct kft_directive *parsed)
{
	struct kft_directive *d = kft_arena_alloc(k->arena, sizeof(*d));
	struct kft_print_op op = {};

	if (!d)
		return -ENOMEM;
	*d = *parsed;
	int r = take_count(k, d->star_width, &d->width_arg);
	if (r == 0)
		r = take_count(k, d->star_precision, &d->precision_arg);
	if (r == 0)
		r = take_arg(k, &d->arg);
	if (r < 0)
		return r;
	if (!fits(d))
		return fail(k, "argument that does not fit its place");
	choose_kind(k, d, &op);
	return flush(k, &op);
}

static int compile(struct compiler *k, const char *p, size_t len)
{
	const char *end = p + len;
	struct kft_print_op last = {.kind = KFT_PRINT_END};

	while (p < end) {
		struct kft_directive d;

		if (*p != '%') {
			kft_strbuf_addc(&k->text, *p++);
			continue;
		}
		if (end - p > 1 && p[1] == '%') {
			kft_strbuf_addc(&k->text, '%');
			p += 2;
			continue;
		}
		size_t n = kft_directive_parse(p, end, k->long_size, &d);
		if (!n)
			return fail(k, "conversion that the kernel does not have");
		int r = add_directive(k, &d);
		if (r < 0)
			return r;
		p += n;
	}
	return flush(k, &last);
}

int kft_print_compile(struct kft_arena *arena, uint32_t long_size, const char *format,
		      size_t len, const struct kft_expr *const *args, size_t n_args,
		      const struct kft_print_program **ret, const char **ret_why)
{
	_cleanup_(compiler_finish) struct compiler k = {
		.arena = arena, .long_size = long_size, .args = args, .n_args = n_args};
	int r = compile(&k, format, len);

	if (r == -EINVAL)
		*ret_why = k.why;
	if (r < 0)
		return r;
	struct kft_print_program *p = kft_arena_alloc(arena, sizeof(*p));
	struct kft_print_op *ops = kft_arena_calloc(arena, k.ops.len, sizeof(*ops));
	if (!p || !ops)
		return -ENOMEM;
	memcpy(ops, k.ops.data, k.ops.len * sizeof(*ops));
	p->ops = ops;
	*ret = p;
	return 0;
}
