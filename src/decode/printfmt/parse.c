// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses a print format by recursive descent. */
#include "decode/printfmt/parse.h"

#include <errno.h>
#include <string.h>

#include "base/strbuf.h"
#include "decode/printfmt/names.h"
#include "decode/trace_lazy.h"

/* Part of a name that is shown in a message. */
#define WHY_NAME_MAX 60

/*
 * Kernel variables in print formats. Their values are not in the trace. As in
 * libtraceevent, the variable's address (or 0) replaces its value; results
 * computed from it are meaningless.
 */
static const char *const variables[] = {
	"jiffies",   "vmemmap_base",	     "mem_map",	     "page_offset_base",
	"phys_base", "__pv_phys_pfn_offset", "memstart_addr"};

void kft_fmt_next(struct kft_fmt_parser *ps)
{
	kft_fmt_lex(&ps->lexer, &ps->token);
}

bool kft_fmt_accept(struct kft_fmt_parser *ps, int punct)
{
	if (!kft_fmt_token_is(&ps->token, punct))
		return false;
	kft_fmt_next(ps);
	return true;
}

bool kft_fmt_expect(struct kft_fmt_parser *ps, int punct)
{
	if (kft_fmt_accept(ps, punct))
		return true;
	(void)kft_fmt_fail_name(ps, "unexpected", &ps->token);
	return false;
}

struct kft_expr *kft_fmt_fail_name(struct kft_fmt_parser *ps, const char *what,
				   const struct kft_fmt_token *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (ps->build.why)
		return NULL;
	kft_strbuf_addf(&sb, "%s '", what);
	kft_strbuf_add_escaped(
		&sb, name->start,
		KFT_MIN((size_t)(name->end - name->start), (size_t)WHY_NAME_MAX));
	kft_strbuf_addc(&sb, '\'');
	ps->build.why = kft_arena_strdup(ps->build.arena, kft_strbuf_cstr(&sb));
	return NULL;
}

struct kft_fmt_variable *kft_fmt_find_local(struct kft_fmt_parser *ps,
					    const struct kft_fmt_token *t)
{
	size_t n = t->end - t->start;

	/* The innermost variable of a name wins. */
	for (size_t i = ps->n_locals; i > 0; i--) {
		struct kft_fmt_variable *l = &ps->locals[i - 1];

		if (t->kind == KFT_FMT_NAME && l->len == n &&
		    memcmp(l->name, t->start, n) == 0)
			return l;
	}
	return NULL;
}

static const struct kft_field *find_field(const struct kft_class *cls, const char *name,
					  size_t len)
{
	for (uint32_t i = 0; i < cls->n_fields; i++)
		if (strlen(cls->fields[i].name) == len &&
		    memcmp(cls->fields[i].name, name, len) == 0)
			return &cls->fields[i];
	return NULL;
}

static bool has_prefix(const struct kft_fmt_token *t, const char *prefix)
{
	size_t n = strlen(prefix);

	return (size_t)(t->end - t->start) > n && memcmp(t->start, prefix, n) == 0;
}

const struct kft_field *kft_fmt_field(struct kft_fmt_parser *ps,
				      const struct kft_fmt_token *name)
{
	size_t skip = has_prefix(name, "__data_loc_")  ? strlen("__data_loc_")
		      : has_prefix(name, "__rel_loc_") ? strlen("__rel_loc_")
						       : 0;
	size_t len = name->end - name->start;
	const struct kft_field *f = NULL;

	if (name->kind == KFT_FMT_NAME)
		f = find_field(ps->cls, name->start, len);
	if (!f && skip && name->kind == KFT_FMT_NAME)
		f = find_field(ps->cls, name->start + skip, len - skip);
	if (!f)
		(void)kft_fmt_fail_name(ps, "no field", name);
	return f;
}

int kft_fmt_args(struct kft_fmt_parser *ps, const struct kft_expr **args, size_t max)
{
	size_t n = 0;

	if (kft_fmt_accept(ps, ')'))
		return 0;
	do {
		if (n == max) {
			(void)kft_expr_fail(&ps->build, "too many arguments");
			return -1;
		}
		args[n] = kft_fmt_expr(ps);
		if (!args[n++])
			return -1;
	} while (kft_fmt_accept(ps, ','));
	return kft_fmt_expect(ps, ')') ? (int)n : -1;
}

/* C 6.4.4.1: a constant has the first type that can hold its value. */
static const struct kft_expr *number(struct kft_fmt_parser *ps,
				     const struct kft_fmt_token *t)
{
	uint8_t long_size = ps->build.long_size;
	uint8_t size = t->longs == 0 ? 4 : t->longs == 1 ? long_size : 8;
	bool is_unsigned = t->is_unsigned;

	for (;; size = 8) {
		if (!is_unsigned &&
		    t->number <= kft_expr_norm(UINT64_MAX, size, false) >> 1)
			break;
		if (t->number <= kft_expr_norm(UINT64_MAX, size, false) &&
		    (is_unsigned || !t->is_decimal || size == 8)) {
			is_unsigned = true;
			break;
		}
		if (size == 8)
			break;
	}
	return kft_expr_const(&ps->build, t->number, size, !is_unsigned);
}

static const struct kft_expr *address_of(struct kft_fmt_parser *ps,
					 const struct kft_fmt_token *t)
{
	const struct kft_symbol_table *symbols = ps->trace ? kft_trace_symbols(ps->trace)
							   : NULL;
	size_t n = t->end - t->start;

	for (size_t i = 0; symbols && i < symbols->syms.len; i++) {
		const struct kft_symbol *s = &symbols->syms.data[i];

		if (s->name_len == n && memcmp(s->name, t->start, n) == 0)
			return kft_expr_const(&ps->build, s->addr, ps->build.long_size,
					      false);
	}
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++)
		if (kft_fmt_token_is_name(t, variables[i]))
			return kft_expr_const(&ps->build, 0, ps->build.long_size, false);
	ps->unknown = *t;
	return kft_expr_unknown(&ps->build);
}

static const struct kft_expr *local_value(struct kft_fmt_parser *ps,
					  const struct kft_fmt_variable *l)
{
	const struct kft_expr *value = l->is_seq ? ps->seq : l->value;

	if (kft_fmt_token_is(&ps->token, '.') && l->is_role)
		return kft_fmt_member(ps, l);
	if (l->texts && kft_fmt_accept(ps, '[')) {
		const struct kft_expr *index = kft_fmt_expr(ps);

		if (!index || !kft_fmt_expect(ps, ']'))
			return NULL;
		struct kft_expr *e = kft_expr_node(&ps->build, KFT_EXPR_PICK,
						   KFT_EXPR_IS_TEXT, index, NULL, NULL);
		if (!e)
			return NULL;
		e->texts = l->texts;
		e->n_texts = l->n_texts;
		return e;
	}
	return value ? value : kft_expr_fail(&ps->build, "variable without a value");
}

static const struct kft_expr *name_value(struct kft_fmt_parser *ps,
					 const struct kft_fmt_token *t)
{
	const struct kft_fmt_variable *local = kft_fmt_find_local(ps, t);
	uint64_t v;

	if (local)
		return local_value(ps, local);
	if (kft_print_constant(t->start, t->end - t->start, &v))
		return kft_expr_const(&ps->build, v, 4, true);
	return address_of(ps, t);
}

static const struct kft_expr *field_value(struct kft_fmt_parser *ps)
{
	struct kft_fmt_token name = ps->token;
	const struct kft_field *f = kft_fmt_field(ps, &name);

	if (!f)
		return NULL;
	kft_fmt_next(ps);
	/* REC->__data_loc_x is the location of the bytes, not the bytes. */
	if ((size_t)(name.end - name.start) != strlen(f->name) &&
	    f->size == sizeof(uint32_t))
		return kft_expr_load(&ps->build, f->offset, f->size, false);
	return kft_expr_field(&ps->build, f);
}

static const struct kft_expr *primary(struct kft_fmt_parser *ps);

static const struct kft_expr *postfix(struct kft_fmt_parser *ps)
{
	const struct kft_expr *e = primary(ps);

	while (e) {
		if (kft_fmt_accept(ps, '[')) {
			const struct kft_expr *index = kft_fmt_expr(ps);

			if (!index || !kft_fmt_expect(ps, ']'))
				return NULL;
			e = kft_expr_elem(&ps->build, e, index);
		} else if (kft_fmt_accept(ps, KFT_PUNCT2('-', '>'))) {
			if (e->op != KFT_EXPR_RECORD)
				return kft_fmt_fail_name(ps, "member of a structure",
							 &ps->token);
			e = field_value(ps);
		} else if (kft_fmt_token_is(&ps->token, '.')) {
			return kft_expr_fail(&ps->build, "member of a structure");
		} else {
			break;
		}
	}
	return e;
}

static bool is_type_word(struct kft_fmt_parser *ps, const struct kft_fmt_token *t)
{
	return t->kind == KFT_FMT_NAME && !kft_fmt_token_is_name(t, "REC") &&
	       !kft_fmt_token_is_name(t, "sizeof") && !kft_fmt_find_local(ps, t);
}

static bool skip_parens(struct kft_fmt_parser *ps)
{
	unsigned int open = 0;

	do {
		if (ps->token.kind == KFT_FMT_END || ps->token.kind == KFT_FMT_BAD)
			return false;
		open += kft_fmt_token_is(&ps->token, '(');
		open -= kft_fmt_token_is(&ps->token, ')');
		kft_fmt_next(ps);
	} while (open);
	return true;
}

/*
 * Scans words and stars up to a ')': a type for certain, or a single name
 * that may be one. Starts after the '(' and ends before the ')'; on failure
 * the position does not change.
 */
static bool scan_type(struct kft_fmt_parser *ps, struct kft_fmt_token *first,
		      const char **ret_end, unsigned int *ret_words, bool *ret_pointer)
{
	struct kft_fmt_lexer saved_lexer = ps->lexer;
	struct kft_fmt_token saved_token = ps->token;

	*first = ps->token;
	*ret_words = 0;
	*ret_pointer = false;
	for (;;) {
		*ret_end = ps->token.start;
		bool is_typeof = kft_fmt_token_is_name(&ps->token, "typeof") ||
				 kft_fmt_token_is_name(&ps->token, "__typeof__");
		if (is_typeof || kft_fmt_token_is_name(&ps->token, "__attribute__")) {
			*ret_words += is_typeof;
			kft_fmt_next(ps);
			if (!skip_parens(ps))
				break;
			continue;
		}
		if (kft_fmt_token_is(&ps->token, ')') && *ret_words)
			return true;
		if (is_type_word(ps, &ps->token))
			(*ret_words)++;
		else if (kft_fmt_token_is(&ps->token, '*') && *ret_words)
			*ret_pointer = true;
		else
			break;
		kft_fmt_next(ps);
	}
	ps->lexer = saved_lexer;
	ps->token = saved_token;
	return false;
}

/* Whether the tokens after "(name)" make it a cast. */
static bool operand_follows(const struct kft_fmt_parser *ps, bool surely_type)
{
	const struct kft_fmt_token *t = &ps->token;

	switch (t->kind) {
	case KFT_FMT_NAME:
	case KFT_FMT_NUMBER:
	case KFT_FMT_STRING:
		return true;
	case KFT_FMT_PUNCT:
		if (t->punct == '(' || t->punct == '!' || t->punct == '~')
			return true;
		return surely_type && (t->punct == '-' || t->punct == '+' ||
				       t->punct == '*' || t->punct == '&');
	default:
		return false;
	}
}

static const struct kft_expr *unary(struct kft_fmt_parser *ps);

/*
 * Parses (type)operand or (name), after the '('. NULL with *ret_is false: it is neither.
 */
static const struct kft_expr *cast(struct kft_fmt_parser *ps, bool *ret_is)
{
	struct kft_fmt_token first;
	const char *end;
	unsigned int words;
	bool pointer;
	struct kft_ctype type;

	*ret_is = scan_type(ps, &first, &end, &words, &pointer);
	if (!*ret_is)
		return NULL;
	kft_fmt_next(ps);
	bool known = kft_ctype_parse(first.start, end - first.start, ps->build.long_size,
				     &type);
	if (operand_follows(ps, known || pointer || words > 1)) {
		const struct kft_expr *e = unary(ps);

		return e ? kft_expr_cast(&ps->build, e, &type) : NULL;
	}
	if (words == 1 && !pointer)
		return name_value(ps, &first);
	return kft_fmt_fail_name(ps, "type without a value", &first);
}

static const struct kft_expr *parens(struct kft_fmt_parser *ps)
{
	bool is_cast;

	if (kft_fmt_accept(ps, '{'))
		return kft_fmt_statements(ps);
	const struct kft_expr *e = cast(ps, &is_cast);
	if (is_cast)
		return e;
	do {
		e = kft_fmt_expr(ps);
	} while (e && kft_fmt_accept(ps, ','));
	return e && kft_fmt_expect(ps, ')') ? e : NULL;
}

static const struct kft_expr *record(struct kft_fmt_parser *ps)
{
	struct kft_expr *e = kft_expr_new(&ps->build, KFT_EXPR_RECORD, KFT_EXPR_IS_BYTES);

	if (e)
		e->size = 1;
	return e;
}

static const struct kft_expr *named(struct kft_fmt_parser *ps)
{
	struct kft_fmt_token t = ps->token;

	kft_fmt_next(ps);
	if (kft_fmt_token_is_name(&t, "REC"))
		return record(ps);
	if (kft_fmt_accept(ps, '('))
		return kft_fmt_call(ps, &t);
	return name_value(ps, &t);
}

static const struct kft_expr *primary(struct kft_fmt_parser *ps)
{
	struct kft_fmt_token t = ps->token;

	switch (t.kind) {
	case KFT_FMT_NAME:
		return named(ps);
	case KFT_FMT_NUMBER:
		kft_fmt_next(ps);
		return number(ps, &t);
	case KFT_FMT_STRING:
		kft_fmt_next(ps);
		return kft_expr_text(&ps->build, t.text, t.len);
	case KFT_FMT_PUNCT:
		if (kft_fmt_accept(ps, '('))
			return parens(ps);
		break;
	default:
		break;
	}
	return kft_fmt_fail_name(
		ps, t.kind == KFT_FMT_END ? "the text ends:" : "unexpected", &t);
}

/* Parses &REC->array[2]. */
static const struct kft_expr *rest_of_record(struct kft_fmt_parser *ps, uint32_t offset,
					     uint8_t elem_size)
{
	const struct kft_expr *rec = record(ps);
	const struct kft_expr *skip = kft_expr_const(&ps->build, offset, 4, false);

	if (!rec || !skip)
		return NULL;
	struct kft_expr *e = kft_expr_binary(&ps->build, KFT_EXPR_ADD, rec, skip);
	if (e)
		e->size = elem_size;
	return e;
}

/* Parses &REC->field: the bytes of the field, whatever its type. */
static const struct kft_expr *address(struct kft_fmt_parser *ps)
{
	const struct kft_expr *e = unary(ps);

	if (!e || e->cls == KFT_EXPR_IS_BYTES)
		return e;
	if (e->op == KFT_EXPR_ELEM)
		return kft_expr_binary(&ps->build, KFT_EXPR_ADD, e->a, e->b);
	if (e->op != KFT_EXPR_LOAD)
		return kft_expr_fail(&ps->build,
				     "address of a value that is not a field");
	for (uint32_t i = 0; i < ps->cls->n_fields; i++)
		if (ps->cls->fields[i].offset == e->offset &&
		    ps->cls->fields[i].size == e->load_size)
			return kft_expr_bytes_of(&ps->build, &ps->cls->fields[i]);
	return rest_of_record(ps, e->offset, e->load_size);
}

static const struct kft_expr *dereference(struct kft_fmt_parser *ps)
{
	const struct kft_expr *e = unary(ps);
	const struct kft_expr *zero = kft_expr_const(&ps->build, 0, 4, true);

	return e && zero ? kft_expr_elem(&ps->build, e, zero) : NULL;
}

static const struct kft_expr *unary_op(struct kft_fmt_parser *ps, enum kft_expr_op op)
{
	const struct kft_expr *e = unary(ps);

	return e ? kft_expr_unary(&ps->build, op, e) : NULL;
}

static const struct kft_expr *unary_inner(struct kft_fmt_parser *ps)
{
	if (kft_fmt_accept(ps, '!'))
		return unary_op(ps, KFT_EXPR_NOT);
	if (kft_fmt_accept(ps, '~'))
		return unary_op(ps, KFT_EXPR_INVERT);
	if (kft_fmt_accept(ps, '-'))
		return unary_op(ps, KFT_EXPR_NEG);
	if (kft_fmt_accept(ps, '+'))
		return unary(ps);
	if (kft_fmt_accept(ps, '&'))
		return address(ps);
	if (kft_fmt_accept(ps, '*'))
		return dereference(ps);
	return postfix(ps);
}

static const struct kft_expr *unary(struct kft_fmt_parser *ps)
{
	if (ps->depth == KFT_FMT_DEPTH_MAX)
		return kft_expr_fail(&ps->build, "nested too deep");
	ps->depth++;
	const struct kft_expr *e = unary_inner(ps);
	ps->depth--;
	return e;
}

struct binary_op {
	int punct;
	uint8_t level; /* higher binds tighter */
	uint8_t op; /* enum kft_expr_op */
	bool turned; /* operands are swapped: a > b is b < a */
};

static const struct binary_op binary_ops[] = {
	{KFT_PUNCT2('|', '|'), 1, KFT_EXPR_OROR, false},
	{KFT_PUNCT2('&', '&'), 2, KFT_EXPR_ANDAND, false},
	{'|', 3, KFT_EXPR_OR, false},
	{'^', 4, KFT_EXPR_XOR, false},
	{'&', 5, KFT_EXPR_AND, false},
	{KFT_PUNCT2('=', '='), 6, KFT_EXPR_EQ, false},
	{KFT_PUNCT2('!', '='), 6, KFT_EXPR_NE, false},
	{'<', 7, KFT_EXPR_LT, false},
	{'>', 7, KFT_EXPR_LT, true},
	{KFT_PUNCT2('<', '='), 7, KFT_EXPR_LE, false},
	{KFT_PUNCT2('>', '='), 7, KFT_EXPR_LE, true},
	{KFT_PUNCT2('<', '<'), 8, KFT_EXPR_SHL, false},
	{KFT_PUNCT2('>', '>'), 8, KFT_EXPR_SHR, false},
	{'+', 9, KFT_EXPR_ADD, false},
	{'-', 9, KFT_EXPR_SUB, false},
	{'*', 10, KFT_EXPR_MUL, false},
	{'/', 10, KFT_EXPR_DIV, false},
	{'%', 10, KFT_EXPR_MOD, false},
};

static const struct binary_op *binary_op_of(const struct kft_fmt_token *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(binary_ops); i++)
		if (kft_fmt_token_is(t, binary_ops[i].punct))
			return &binary_ops[i];
	return NULL;
}

static const struct kft_expr *binary(struct kft_fmt_parser *ps, unsigned int level)
{
	const struct kft_expr *l = unary(ps);

	while (l) {
		const struct binary_op *o = binary_op_of(&ps->token);

		if (!o || o->level < level)
			break;
		kft_fmt_next(ps);
		const struct kft_expr *r = binary(ps, o->level + 1);
		if (!r)
			return NULL;
		l = o->turned ? kft_expr_binary(&ps->build, o->op, r, l)
			      : kft_expr_binary(&ps->build, o->op, l, r);
	}
	return l;
}

static const struct kft_expr *conditional(struct kft_fmt_parser *ps)
{
	const struct kft_expr *cond = binary(ps, 1);

	if (!cond || !kft_fmt_accept(ps, '?'))
		return cond;
	/* GNU C: a ?: b */
	const struct kft_expr *yes = kft_fmt_token_is(&ps->token, ':') ? cond
								       : kft_fmt_expr(ps);
	if (!yes || !kft_fmt_expect(ps, ':'))
		return NULL;
	const struct kft_expr *no = kft_fmt_expr(ps);
	return no ? kft_expr_cond(&ps->build, cond, yes, no) : NULL;
}

const struct kft_expr *kft_fmt_expr(struct kft_fmt_parser *ps)
{
	if (ps->depth == KFT_FMT_DEPTH_MAX)
		return kft_expr_fail(&ps->build, "nested too deep");
	ps->depth++;
	const struct kft_expr *e = conditional(ps);
	ps->depth--;
	return e;
}

static bool parse_all(struct kft_fmt_parser *ps, struct kft_fmt_parsed *p)
{
	kft_fmt_lex_format(&ps->lexer, &ps->token);
	if (ps->token.kind != KFT_FMT_STRING) {
		(void)kft_fmt_fail_name(ps, "no format string but", &ps->token);
		return false;
	}
	p->format = ps->token.text;
	p->format_len = ps->token.len;
	kft_fmt_next(ps);
	while (kft_fmt_accept(ps, ',')) {
		if (p->n_args == KFT_FMT_ARGS_MAX) {
			(void)kft_expr_fail(&ps->build, "too many arguments");
			return false;
		}
		ps->n_locals = 0;
		const struct kft_expr *e = kft_fmt_expr(ps);
		if (!e)
			return false;
		if (e->unknown) {
			(void)kft_fmt_fail_name(ps, "unknown name", &ps->unknown);
			return false;
		}
		p->args[p->n_args++] = e;
	}
	if (ps->token.kind == KFT_FMT_END)
		return true;
	(void)kft_fmt_fail_name(ps, "unexpected", &ps->token);
	return false;
}

int kft_fmt_parse(const struct kft_fmt_env *env, const char *text,
		  struct kft_fmt_parsed *ret, const char **ret_why)
{
	struct kft_fmt_parser ps = {
		.build = {.arena = env->arena, .long_size = env->long_size},
		.lexer = {.p = text, .end = text + strlen(text), .arena = env->arena},
		.cls = env->cls,
		.trace = env->trace,
		.big_endian = env->big_endian,
	};

	*ret = (struct kft_fmt_parsed){};
	if (parse_all(&ps, ret))
		return 0;
	if (!ps.build.why)
		return -ENOMEM;
	*ret_why = ps.build.why;
	return -EINVAL;
}
