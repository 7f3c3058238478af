// SPDX-License-Identifier: LGPL-2.1-or-later
/* Evaluates expressions that are numbers or bytes, for one record. */
#include "decode/printfmt/eval.h"

static uint64_t load(const struct kft_print_ctx *c, const struct kft_expr *e)
{
	/*
	 * The compiler checked that the bytes are in a field of the class, and
	 * data is padded to that.
	 */
	uint64_t v = kft_load_sized(c->data + e->offset, e->load_size, c->swap);

	if (e->load_signed)
		v = kft_expr_norm(v, e->load_size, true);
	return v;
}

static struct kft_bytes span(const struct kft_print_ctx *c, size_t start, size_t len)
{
	if (start > c->size || len > c->size - start)
		return (struct kft_bytes){.p = c->data};
	return (struct kft_bytes){.p = c->data + start, .len = len};
}

struct kft_bytes kft_eval_field(const struct kft_print_ctx *c, const struct kft_field *f)
{
	if (f->place == KFT_FIELD_INLINE)
		return (struct kft_bytes){.p = c->data + f->offset, .len = f->size};
	if (f->place == KFT_FIELD_TAIL)
		return span(c, f->offset, c->size > f->offset ? c->size - f->offset : 0);
	uint32_t loc = kft_load_u32(c->data + f->offset, c->swap);
	size_t start = loc & 0xffff;
	if (f->place == KFT_FIELD_REL_LOC)
		start += f->offset + sizeof(loc);
	return span(c, start, loc >> 16);
}

static uint64_t field_len(const struct kft_print_ctx *c, const struct kft_field *f)
{
	if (f->place == KFT_FIELD_INLINE || f->place == KFT_FIELD_TAIL)
		return kft_eval_field(c, f).len;
	return kft_load_u32(c->data + f->offset, c->swap) >> 16;
}

static uint64_t element(const struct kft_print_ctx *c, const struct kft_expr *e)
{
	struct kft_bytes b = kft_eval_bytes(c, e->a);
	uint64_t index = kft_eval_number(c, e->b);

	if (index >= b.len / e->load_size)
		return 0;
	uint64_t v = kft_load_sized(b.p + index * e->load_size, e->load_size, c->swap);
	return kft_expr_norm(v, e->load_size, e->load_signed);
}

static uint64_t binary(const struct kft_print_ctx *c, const struct kft_expr *e)
{
	uint64_t l = kft_eval_number(c, e->a);

	if (e->op == KFT_EXPR_ANDAND && !l)
		return 0;
	if (e->op == KFT_EXPR_OROR && l)
		return 1;
	uint64_t r = kft_eval_number(c, e->b);
	uint64_t v = kft_expr_apply(e->op, l, r, e->a->size, e->a->is_signed);
	return v;
}

uint64_t kft_eval_number(const struct kft_print_ctx *c, const struct kft_expr *e)
{
	switch (e->op) {
	case KFT_EXPR_CONST:
		return e->value;
	case KFT_EXPR_LOAD:
		return load(c, e);
	case KFT_EXPR_LOAD_AND:
		return load(c, e) & e->value;
	case KFT_EXPR_ELEM:
		return element(c, e);
	case KFT_EXPR_LEN:
		return field_len(c, e->field);
	case KFT_EXPR_CAST:
		return kft_expr_norm(kft_eval_number(c, e->a), e->load_size,
				     e->load_signed);
	case KFT_EXPR_COND:
		return kft_eval_number(c, kft_eval_number(c, e->a) ? e->b : e->c);
	case KFT_EXPR_NEG:
	case KFT_EXPR_INVERT:
	case KFT_EXPR_NOT:
	case KFT_EXPR_SWAP:
	case KFT_EXPR_FFS:
		return kft_expr_apply(e->op, kft_eval_number(c, e->a), 0, e->a->size,
				      e->a->is_signed);
	default:
		if (e->op >= KFT_EXPR_ADD && e->op <= KFT_EXPR_OROR)
			return binary(c, e);
		return 0;
	}
}

static struct kft_bytes skipped(const struct kft_print_ctx *c, const struct kft_expr *e)
{
	struct kft_bytes b = kft_eval_bytes(c, e->a);
	uint64_t n = kft_eval_number(c, e->b);
	size_t size = e->a->size ? e->a->size : 1;

	if (n > b.len / size)
		return (struct kft_bytes){.p = b.p};
	return (struct kft_bytes){.p = b.p + n * size, .len = b.len - n * size};
}

struct kft_bytes kft_eval_bytes(const struct kft_print_ctx *c, const struct kft_expr *e)
{
	switch (e->op) {
	case KFT_EXPR_FIELD:
		return kft_eval_field(c, e->field);
	case KFT_EXPR_RECORD:
		return (struct kft_bytes){.p = c->data, .len = c->size};
	case KFT_EXPR_SKIP:
		return skipped(c, e);
	case KFT_EXPR_COND:
		return kft_eval_bytes(c, kft_eval_number(c, e->a) ? e->b : e->c);
	default:
		return (struct kft_bytes){.p = c->data};
	}
}
