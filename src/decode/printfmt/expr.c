// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds the typed expressions of print formats, by C's rules. */
#include "decode/printfmt/expr.h"

#include <string.h>

#include "base/strbuf.h"

struct kft_expr *kft_expr_fail(struct kft_expr_build *b, const char *why)
{
	if (!b->why)
		b->why = why;
	return NULL;
}

struct kft_expr *kft_expr_new(struct kft_expr_build *b, enum kft_expr_op op,
			      enum kft_expr_class cls)
{
	struct kft_expr *e = kft_arena_alloc(b->arena, sizeof(*e));

	if (!e)
		return NULL;
	e->op = op;
	e->cls = cls;
	e->depth = 1;
	return e;
}

static bool add_operand(struct kft_expr_build *b, struct kft_expr *e,
			const struct kft_expr *operand)
{
	if (!operand)
		return true;
	e->unknown |= operand->unknown;
	if (operand->depth >= e->depth)
		e->depth = operand->depth + 1;
	if (e->depth <= KFT_EXPR_DEPTH_MAX)
		return true;
	(void)kft_expr_fail(b, "nested too deep");
	return false;
}

struct kft_expr *kft_expr_node(struct kft_expr_build *b, enum kft_expr_op op,
			       enum kft_expr_class cls, const struct kft_expr *x,
			       const struct kft_expr *y, const struct kft_expr *z)
{
	struct kft_expr *e = kft_expr_new(b, op, cls);

	if (!e || !add_operand(b, e, x) || !add_operand(b, e, y) || !add_operand(b, e, z))
		return NULL;
	e->a = x;
	e->b = y;
	e->c = z;
	return e;
}

struct kft_expr *kft_expr_const(struct kft_expr_build *b, uint64_t v, uint8_t size,
				bool is_signed)
{
	struct kft_expr *e = kft_expr_new(b, KFT_EXPR_CONST, KFT_EXPR_IS_NUMBER);

	if (!e)
		return NULL;
	e->size = size;
	e->is_signed = is_signed;
	e->value = kft_expr_norm(v, size, is_signed);
	return e;
}

struct kft_expr *kft_expr_unknown(struct kft_expr_build *b)
{
	struct kft_expr *e = kft_expr_const(b, 0, 4, true);

	if (e)
		e->unknown = true;
	return e;
}

const char *kft_expr_literal(struct kft_arena *arena, const char *s, size_t len,
			     size_t *ret_len)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	/*
	 * Newlines and tabs are the kernel's own layout; all other text may be hostile.
	 */
	while (len) {
		size_t run = 0;

		while (run < len && s[run] != '\n' && s[run] != '\t')
			run++;
		kft_strbuf_add_escaped(&sb, s, run);
		if (run < len)
			kft_strbuf_addc(&sb, s[run++]);
		s += run;
		len -= run;
	}
	char *copy = kft_arena_alloc(arena, sb.len + KFT_EXPR_TEXT_SLACK);
	if (!copy || !kft_strbuf_ok(&sb))
		return NULL;
	if (sb.len)
		memcpy(copy, sb.buf, sb.len);
	*ret_len = sb.len;
	return copy;
}

struct kft_expr *kft_expr_text(struct kft_expr_build *b, const char *s, size_t len)
{
	struct kft_expr *e = kft_expr_new(b, KFT_EXPR_TEXT, KFT_EXPR_IS_TEXT);

	if (!e)
		return NULL;
	e->text.data = kft_expr_literal(b->arena, s, len, &e->text.len);
	return e->text.data ? e : NULL;
}

struct kft_expr *kft_expr_load(struct kft_expr_build *b, uint32_t offset, uint8_t size,
			       bool is_signed)
{
	struct kft_expr *e = kft_expr_new(b, KFT_EXPR_LOAD, KFT_EXPR_IS_NUMBER);

	if (!e)
		return NULL;
	e->size = size;
	e->is_signed = is_signed;
	e->load_size = size;
	e->load_signed = is_signed;
	e->offset = offset;
	return e;
}

struct kft_expr *kft_expr_bytes_of(struct kft_expr_build *b, const struct kft_field *f)
{
	struct kft_expr *e = kft_expr_new(b, KFT_EXPR_FIELD, KFT_EXPR_IS_BYTES);

	if (!e)
		return NULL;
	e->field = f;
	e->size = f->kind == KFT_FIELD_OTHER ? 0 : f->elem_size;
	e->is_signed = f->is_signed;
	e->is_char = f->kind == KFT_FIELD_STRING;
	return e;
}

struct kft_expr *kft_expr_field(struct kft_expr_build *b, const struct kft_field *f)
{
	if (f->kind != KFT_FIELD_INT)
		return kft_expr_bytes_of(b, f);
	struct kft_expr *e = kft_expr_load(b, f->offset, f->size, f->is_signed);
	if (e)
		e->is_pointer = f->is_pointer;
	return e;
}

static struct kft_expr *copy(struct kft_expr_build *b, const struct kft_expr *e)
{
	struct kft_expr *n = kft_arena_alloc(b->arena, sizeof(*n));

	if (n)
		*n = *e;
	return n;
}

/* Whether every value of the type `from` is unchanged by the conversion. */
static bool keeps_value(const struct kft_expr *from, uint8_t size, bool is_signed)
{
	if (size == 8)
		return true;
	if (from->size == size)
		return from->is_signed == is_signed;
	return from->size < size && (is_signed || !from->is_signed);
}

static struct kft_expr *cut(struct kft_expr_build *b, const struct kft_expr *e,
			    uint8_t size, bool is_signed)
{
	struct kft_expr *n = kft_expr_node(b, KFT_EXPR_CAST, KFT_EXPR_IS_NUMBER, e, NULL,
					   NULL);

	if (!n)
		return NULL;
	n->load_size = size;
	n->load_signed = is_signed;
	return n;
}

struct kft_expr *kft_expr_to(struct kft_expr_build *b, const struct kft_expr *e,
			     uint8_t size, bool is_signed)
{
	struct kft_expr *n;

	if (kft_expr_is_const(e))
		return kft_expr_const(b, e->value, size, is_signed);
	if (e->cls != KFT_EXPR_IS_NUMBER)
		return kft_expr_fail(b, "bytes or text where a number is needed");
	if (keeps_value(e, size, is_signed))
		n = copy(b, e);
	else
		n = cut(b, e, size, is_signed);
	if (!n)
		return NULL;
	n->size = size;
	n->is_signed = is_signed;
	n->is_pointer = false;
	return n;
}

static struct kft_expr *cast_bytes(struct kft_expr_build *b, const struct kft_expr *e,
				   const struct kft_ctype *type)
{
	if (!type->is_pointer)
		return kft_expr_fail(b, "an address within the record as a number");
	struct kft_expr *n = copy(b, e);
	if (!n)
		return NULL;
	n->size = type->target_size;
	n->is_signed = type->target_signed;
	n->is_char = type->target_char;
	return n;
}

struct kft_expr *kft_expr_cast(struct kft_expr_build *b, const struct kft_expr *e,
			       const struct kft_ctype *type)
{
	if (e->cls == KFT_EXPR_IS_TEXT)
		return copy(b, e);
	if (e->cls == KFT_EXPR_IS_BYTES)
		return cast_bytes(b, e, type);
	/* An unknown typedef: the conversion is ignored, as most keep the value. */
	if (type->size == 0)
		return copy(b, e);
	if (type->is_bool) {
		struct kft_expr *not = kft_expr_unary(b, KFT_EXPR_NOT, e);

		return not ? kft_expr_unary(b, KFT_EXPR_NOT, not ) : NULL;
	}
	/*
	 * For (struct page *)vmemmap_base: the base is not known, so 0 is
	 * as good as any address.
	 */
	if (e->unknown && e->op == KFT_EXPR_CONST && type->is_pointer)
		e = kft_expr_const(b, 0, type->size, false);
	struct kft_expr *n = e ? kft_expr_to(b, e, type->size, type->is_signed) : NULL;
	if (n)
		n->is_pointer = type->is_pointer;
	return n;
}

/* Pointers into the record become 1, because they are never NULL. */
static struct kft_expr *as_number(struct kft_expr_build *b, const struct kft_expr *e)
{
	if (e->cls == KFT_EXPR_IS_NUMBER)
		return copy(b, e);
	return kft_expr_const(b, 1, b->long_size, false);
}

static struct kft_expr *promote(struct kft_expr_build *b, const struct kft_expr *e)
{
	return e->size < 4 ? kft_expr_to(b, e, 4, true) : copy(b, e);
}

struct kft_expr *kft_expr_unary(struct kft_expr_build *b, enum kft_expr_op op,
				const struct kft_expr *a)
{
	const struct kft_expr *n = op == KFT_EXPR_NOT ? as_number(b, a) : a;

	if (n && n->cls != KFT_EXPR_IS_NUMBER)
		return kft_expr_fail(b, "bytes or text where a number is needed");
	if (n && op != KFT_EXPR_SWAP && op != KFT_EXPR_FFS)
		n = promote(b, n);
	if (!n)
		return NULL;
	if (kft_expr_is_const(n)) {
		uint64_t v = kft_expr_apply(op, n->value, 0, n->size, n->is_signed);

		return op == KFT_EXPR_NOT ? kft_expr_const(b, v, 4, true)
					  : kft_expr_const(b, v, n->size, n->is_signed);
	}
	struct kft_expr *e = kft_expr_node(b, op, KFT_EXPR_IS_NUMBER, n, NULL, NULL);
	if (!e)
		return NULL;
	e->size = op == KFT_EXPR_NOT ? 4 : n->size;
	e->is_signed = op == KFT_EXPR_NOT ? true : n->is_signed;
	return e;
}

static struct kft_expr *skip_elements(struct kft_expr_build *b,
				      const struct kft_expr *bytes,
				      const struct kft_expr *n)
{
	struct kft_expr *e = kft_expr_node(b, KFT_EXPR_SKIP, KFT_EXPR_IS_BYTES, bytes, n,
					   NULL);

	if (!e)
		return NULL;
	e->size = bytes->size;
	e->is_signed = bytes->is_signed;
	e->is_char = bytes->is_char;
	return e;
}

static bool is_comparison(enum kft_expr_op op)
{
	return op >= KFT_EXPR_LT && op <= KFT_EXPR_NE;
}

/* Applies C's usual arithmetic conversions. */
static bool convert_both(struct kft_expr_build *b, const struct kft_expr **l,
			 const struct kft_expr **r)
{
	*l = promote(b, *l);
	*r = promote(b, *r);
	if (!*l || !*r)
		return false;
	uint8_t size = KFT_MAX((*l)->size, (*r)->size);
	bool is_unsigned = ((*l)->size == size && !(*l)->is_signed) ||
			   ((*r)->size == size && !(*r)->is_signed);
	*l = kft_expr_to(b, *l, size, !is_unsigned);
	*r = kft_expr_to(b, *r, size, !is_unsigned);
	return *l && *r;
}

static struct kft_expr *load_and(struct kft_expr_build *b, const struct kft_expr *load,
				 uint64_t mask)
{
	struct kft_expr *e = copy(b, load);

	if (!e)
		return NULL;
	e->op = KFT_EXPR_LOAD_AND;
	e->value = mask;
	return e;
}

/* Builds an operation on numbers, except logical operators. */
static struct kft_expr *arithmetic(struct kft_expr_build *b, enum kft_expr_op op,
				   const struct kft_expr *l, const struct kft_expr *r)
{
	bool is_pointer = l->is_pointer || r->is_pointer;

	if (op == KFT_EXPR_SHL || op == KFT_EXPR_SHR) {
		l = promote(b, l);
		r = promote(b, r);
		if (!l || !r)
			return NULL;
	} else if (!convert_both(b, &l, &r)) {
		return NULL;
	}
	uint8_t size = is_comparison(op) ? 4 : l->size;
	bool is_signed = is_comparison(op) || l->is_signed;
	if (kft_expr_is_const(l) && kft_expr_is_const(r))
		return kft_expr_const(
			b, kft_expr_apply(op, l->value, r->value, l->size, l->is_signed),
			size, is_signed);
	if (op == KFT_EXPR_AND && l->op == KFT_EXPR_LOAD && kft_expr_is_const(r))
		return load_and(b, l, r->value);
	struct kft_expr *e = kft_expr_node(b, op, KFT_EXPR_IS_NUMBER, l, r, NULL);
	if (!e)
		return NULL;
	e->size = size;
	e->is_signed = is_signed;
	e->is_pointer = is_pointer && !is_comparison(op);
	return e;
}

static struct kft_expr *logical(struct kft_expr_build *b, enum kft_expr_op op,
				const struct kft_expr *l, const struct kft_expr *r)
{
	l = as_number(b, l);
	r = as_number(b, r);
	if (!l || !r)
		return NULL;
	if (kft_expr_is_const(l) && kft_expr_is_const(r))
		return kft_expr_const(b, kft_expr_apply(op, l->value, r->value, 8, false),
				      4, true);
	struct kft_expr *e = kft_expr_node(b, op, KFT_EXPR_IS_NUMBER, l, r, NULL);
	if (!e)
		return NULL;
	e->size = 4;
	e->is_signed = true;
	return e;
}

struct kft_expr *kft_expr_binary(struct kft_expr_build *b, enum kft_expr_op op,
				 const struct kft_expr *l, const struct kft_expr *r)
{
	if (op == KFT_EXPR_ANDAND || op == KFT_EXPR_OROR)
		return logical(b, op, l, r);
	if (op == KFT_EXPR_ADD && l->cls == KFT_EXPR_IS_BYTES &&
	    r->cls == KFT_EXPR_IS_NUMBER)
		return skip_elements(b, l, r);
	if (op == KFT_EXPR_ADD && r->cls == KFT_EXPR_IS_BYTES &&
	    l->cls == KFT_EXPR_IS_NUMBER)
		return skip_elements(b, r, l);
	if (is_comparison(op)) {
		l = as_number(b, l);
		r = as_number(b, r);
	}
	if (!l || !r)
		return NULL;
	if (l->cls != KFT_EXPR_IS_NUMBER || r->cls != KFT_EXPR_IS_NUMBER)
		return kft_expr_fail(b, "arithmetic with bytes or text");
	return arithmetic(b, op, l, r);
}

/* The class that both sides of a ?: can be converted to. */
static enum kft_expr_class common_class(const struct kft_expr *x,
					const struct kft_expr *y)
{
	if (x->cls == y->cls)
		return x->cls;
	return KFT_EXPR_IS_TEXT;
}

struct kft_expr *kft_expr_cond(struct kft_expr_build *b, const struct kft_expr *cond,
			       const struct kft_expr *yes, const struct kft_expr *no)
{
	cond = as_number(b, cond);
	if (!cond)
		return NULL;
	bool numbers = yes->cls == KFT_EXPR_IS_NUMBER && no->cls == KFT_EXPR_IS_NUMBER;
	bool is_pointer = yes->is_pointer || no->is_pointer;
	bool is_char = yes->is_char && no->is_char;
	if (numbers && !convert_both(b, &yes, &no))
		return NULL;
	if (kft_expr_is_const(cond))
		return copy(b, cond->value ? yes : no);
	struct kft_expr *e = kft_expr_node(b, KFT_EXPR_COND, common_class(yes, no), cond,
					   yes, no);
	if (!e)
		return NULL;
	e->size = yes->size == no->size ? yes->size : 0;
	e->is_signed = yes->is_signed;
	e->is_pointer = numbers && is_pointer;
	e->is_char = is_char;
	return e;
}

/*
 * Turns an element of a field at a fixed offset, with a constant
 * index, into a plain load.
 */
static struct kft_expr *elem_at(struct kft_expr_build *b, const struct kft_expr *bytes,
				const struct kft_expr *index)
{
	const struct kft_field *f = bytes->field;

	if (bytes->op != KFT_EXPR_FIELD || f->place != KFT_FIELD_INLINE ||
	    !kft_expr_is_const(index) || index->value >= f->size / bytes->size)
		return NULL;
	return kft_expr_load(b, f->offset + index->value * bytes->size, bytes->size,
			     bytes->is_signed);
}

struct kft_expr *kft_expr_elem(struct kft_expr_build *b, const struct kft_expr *bytes,
			       const struct kft_expr *index)
{
	if (bytes->cls != KFT_EXPR_IS_BYTES || index->cls != KFT_EXPR_IS_NUMBER)
		return kft_expr_fail(b, "index of a value that is not an array");
	if (bytes->size == 0)
		return kft_expr_fail(b, "element of unknown size");
	struct kft_expr *e = elem_at(b, bytes, index);
	if (e)
		return e;
	e = kft_expr_node(b, KFT_EXPR_ELEM, KFT_EXPR_IS_NUMBER, bytes, index, NULL);
	if (!e)
		return NULL;
	e->size = bytes->size;
	e->is_signed = bytes->is_signed;
	e->load_size = bytes->size;
	e->load_signed = bytes->is_signed;
	return e;
}

static uint64_t divide(uint64_t l, uint64_t r, bool is_signed, bool modulo)
{
	if (r == 0)
		return 0;
	if (!is_signed)
		return modulo ? l % r : l / r;
	if ((int64_t)r == -1) /* INT64_MIN / -1 traps */
		return modulo ? 0 : -l;
	return modulo ? (uint64_t)((int64_t)l % (int64_t)r)
		      : (uint64_t)((int64_t)l / (int64_t)r);
}

static uint64_t swap_bytes(uint64_t v, uint8_t size)
{
	return __builtin_bswap64(v) >> (64 - 8 * size);
}

static uint64_t apply_raw(enum kft_expr_op op, uint64_t l, uint64_t r, uint8_t size,
			  bool is_signed)
{
	switch (op) {
	case KFT_EXPR_NEG:
		return -l;
	case KFT_EXPR_INVERT:
		return ~l;
	case KFT_EXPR_NOT:
		return !l;
	case KFT_EXPR_SWAP:
		return swap_bytes(l, size);
	case KFT_EXPR_FFS:
		return l ? (uint64_t)__builtin_ctzll(l) : 0;
	case KFT_EXPR_ADD:
		return l + r;
	case KFT_EXPR_SUB:
		return l - r;
	case KFT_EXPR_MUL:
		return l * r;
	case KFT_EXPR_DIV:
	case KFT_EXPR_MOD:
		return divide(l, r, is_signed, op == KFT_EXPR_MOD);
	case KFT_EXPR_SHL:
		return r < 8u * size ? l << r : 0;
	case KFT_EXPR_SHR:
		if (r >= 8u * size)
			return 0;
		return is_signed ? (uint64_t)((int64_t)l >> r) : l >> r;
	case KFT_EXPR_AND:
		return l & r;
	case KFT_EXPR_OR:
		return l | r;
	case KFT_EXPR_XOR:
		return l ^ r;
	case KFT_EXPR_LT:
		return is_signed ? (int64_t)l < (int64_t)r : l < r;
	case KFT_EXPR_LE:
		return is_signed ? (int64_t)l <= (int64_t)r : l <= r;
	case KFT_EXPR_EQ:
		return l == r;
	case KFT_EXPR_NE:
		return l != r;
	case KFT_EXPR_ANDAND:
		return l && r;
	case KFT_EXPR_OROR:
		return l || r;
	default:
		return l;
	}
}

uint64_t kft_expr_apply(enum kft_expr_op op, uint64_t l, uint64_t r, uint8_t size,
			bool is_signed)
{
	return kft_expr_norm(apply_raw(op, l, r, size, is_signed), size, is_signed);
}
