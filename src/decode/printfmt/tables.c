// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses __print_flags(), __print_symbolic() and other calls with a table of names. */
#include <string.h>

#include "base/vec.h"
#include "decode/printfmt/call.h"

/* Parses one "{ value, "name" }": 1, 0 for an entry to leave out, -1 on error. */
static int parse_name(struct kft_fmt_parser *ps, uint8_t size, struct kft_name *ret)
{
	if (!kft_fmt_expect(ps, '{'))
		return -1;
	if (kft_fmt_accept(ps, '}'))
		return 0;
	const struct kft_expr *value = kft_fmt_expr(ps);
	if (!value || !kft_fmt_expect(ps, ','))
		return -1;
	const struct kft_expr *text = kft_fmt_expr(ps);
	if (!text || !kft_fmt_expect(ps, '}'))
		return -1;
	if (value->unknown || (text->op == KFT_EXPR_CONST && text->value == 0))
		return 0;
	if (!kft_expr_is_const(value) || text->op != KFT_EXPR_TEXT) {
		(void)kft_expr_fail(&ps->build, "table of names that is not constant");
		return -1;
	}
	*ret = (struct kft_name){.value = kft_expr_norm(value->value, size, false),
				 .text = text->text};
	return 1;
}

struct names {
	KFT_VEC(struct kft_name) v;
};

static void names_finish(struct names *n)
{
	kft_vec_finish(&n->v);
}

struct kft_name *kft_fmt_names(struct kft_fmt_parser *ps, uint8_t size, int close,
			       size_t *ret_n)
{
	_cleanup_(names_finish) struct names names = {};

	while (kft_fmt_token_is(&ps->token, '{')) {
		struct kft_name name;
		int r = parse_name(ps, size, &name);

		if (r < 0)
			return NULL;
		if (names.v.len == KFT_FMT_NAMES_MAX) {
			(void)kft_expr_fail(&ps->build, "table of names too long");
			return NULL;
		}
		if (r > 0 && !kft_vec_push(&names.v, name))
			return NULL;
		if (!kft_fmt_accept(ps, ','))
			break;
	}
	struct kft_name *copy = kft_arena_calloc(ps->build.arena, names.v.len + 1,
						 sizeof(*copy));
	if (!copy || !kft_fmt_expect(ps, close))
		return NULL;
	if (names.v.len)
		memcpy(copy, names.v.data, names.v.len * sizeof(*copy));
	*ret_n = names.v.len;
	return copy;
}

/* Parses the value to look up: unsigned long, or u64 on 32 bits too. */
static const struct kft_expr *named_value(struct kft_fmt_parser *ps, uint8_t *ret_size,
					  int variant)
{
	const struct kft_expr *value = kft_fmt_expr(ps);

	*ret_size = variant == KFT_NAMES_U64 ? 8 : ps->build.long_size;
	if (!value || !kft_fmt_expect(ps, ','))
		return NULL;
	return kft_expr_to(&ps->build, value, *ret_size, false);
}

static const struct kft_expr *named_node(struct kft_fmt_parser *ps, enum kft_expr_op op,
					 const struct kft_expr *value,
					 const struct kft_name_table *table)
{
	if (!table)
		return NULL;
	struct kft_expr *e = kft_expr_node(&ps->build, op, KFT_EXPR_IS_TEXT, value, NULL,
					   NULL);
	if (e)
		e->names = table;
	return e;
}

const struct kft_expr *kft_call_flags(struct kft_fmt_parser *ps, int variant)
{
	uint8_t size;
	size_t n = 0;
	const struct kft_expr *value = named_value(ps, &size, variant);

	if (!value)
		return NULL;
	const struct kft_expr *delim = kft_fmt_expr(ps);
	if (!delim)
		return NULL;
	(void)kft_fmt_accept(ps, ',');
	struct kft_name *names = kft_fmt_names(ps, size, ')', &n);
	if (!names)
		return NULL;
	struct kft_text text = delim->op == KFT_EXPR_TEXT ? delim->text
							  : (struct kft_text){};
	return named_node(ps, KFT_EXPR_FLAGS, value,
			  kft_name_table_flags(ps->build.arena, names, n, text));
}

const struct kft_expr *kft_call_symbolic(struct kft_fmt_parser *ps, int variant)
{
	uint8_t size;
	size_t n = 0;
	const struct kft_expr *value = named_value(ps, &size, variant);
	struct kft_name *names = value ? kft_fmt_names(ps, size, ')', &n) : NULL;

	if (!names)
		return NULL;
	return named_node(ps, KFT_EXPR_SYMBOLIC, value,
			  kft_name_table_symbols(ps->build.arena, names, n));
}

/* Parses the table that is the last argument, and the ')'. */
static const struct kft_fmt_variable *table_arg(struct kft_fmt_parser *ps)
{
	const struct kft_fmt_variable *v = kft_fmt_find_local(ps, &ps->token);

	if (!v || !v->names) {
		(void)kft_fmt_fail_name(ps, "no table", &ps->token);
		return NULL;
	}
	kft_fmt_next(ps);
	return kft_fmt_expect(ps, ')') ? v : NULL;
}

/*
 * Before 6.10, __print_symbolic_u64() and __print_flags_u64() expand to calls
 * with a local table on machines with 32-bit longs: (p, value, table) and (p,
 * delimiter, value, table).
 */
const struct kft_expr *kft_call_seq_symbols(struct kft_fmt_parser *ps, int variant)
{
	uint8_t size;

	kft_fmt_next(ps); /* p */
	const struct kft_expr *value = kft_fmt_expect(ps, ',')
					       ? named_value(ps, &size, variant)
					       : NULL;
	const struct kft_fmt_variable *v = value ? table_arg(ps) : NULL;
	if (!v)
		return NULL;
	return named_node(ps, KFT_EXPR_SYMBOLIC, value,
			  kft_name_table_symbols(ps->build.arena, v->names, v->n_names));
}

const struct kft_expr *kft_call_seq_flags(struct kft_fmt_parser *ps, int variant)
{
	uint8_t size;

	kft_fmt_next(ps); /* p */
	const struct kft_expr *delim = kft_fmt_expect(ps, ',') ? kft_fmt_expr(ps) : NULL;
	const struct kft_expr *value = delim && kft_fmt_expect(ps, ',')
					       ? named_value(ps, &size, variant)
					       : NULL;
	const struct kft_fmt_variable *v = value ? table_arg(ps) : NULL;
	if (!v)
		return NULL;
	struct kft_text text = delim->op == KFT_EXPR_TEXT ? delim->text
							  : (struct kft_text){};
	return named_node(
		ps, KFT_EXPR_FLAGS, value,
		kft_name_table_flags(ps->build.arena, v->names, v->n_names, text));
}
