// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parses statement expressions: ({ int x = REC->a; int y = 128; x < y ? x : y; }). A
 * variable stands for the expression assigned to it. This is enough C for the macros in
 * print formats: min() and its kin, and x86's KVM_MMU_PAGE_PRINTK().
 */
#include <string.h>

#include "base/vec.h"
#include "decode/printfmt/parse.h"
#include "decode/printfmt/program.h"

/* A member of union kvm_mmu_page_role, from arch/x86/include/asm/kvm_host.h. */
struct role_member {
	const char *name;
	uint8_t shift;
	uint8_t bits;
};

static const struct role_member role_members[] = {
	{"word", 0, 32},	   {"level", 0, 4},	      {"has_4_byte_gpte", 4, 1},
	{"quadrant", 5, 2},	   {"direct", 7, 1},	      {"access", 8, 3},
	{"invalid", 11, 1},	   {"efer_nx", 12, 1},	      {"cr0_wp", 13, 1},
	{"smep_andnot_wp", 14, 1}, {"smap_andnot_wp", 15, 1}, {"ad_disabled", 16, 1},
	{"guest_mode", 17, 1},	   {"passthrough", 18, 1},    {"smm", 24, 8},
};

const struct kft_expr *kft_fmt_member(struct kft_fmt_parser *ps,
				      const struct kft_fmt_variable *local)
{
	struct kft_expr_build *b = &ps->build;

	kft_fmt_next(ps);
	struct kft_fmt_token name = ps->token;
	kft_fmt_next(ps);
	if (!local->value)
		return kft_expr_fail(b, "variable without a value");
	for (size_t i = 0; i < ARRAY_SIZE(role_members); i++) {
		const struct role_member *m = &role_members[i];

		if (!kft_fmt_token_is_name(&name, m->name))
			continue;
		const struct kft_expr *shift = kft_expr_const(b, m->shift, 4, false);
		const struct kft_expr *mask =
			kft_expr_const(b, (UINT64_C(1) << m->bits) - 1, 4, false);
		const struct kft_expr *e = shift ? kft_expr_binary(b, KFT_EXPR_SHR,
								   local->value, shift)
						 : NULL;
		return e && mask ? kft_expr_binary(b, KFT_EXPR_AND, e, mask) : NULL;
	}
	return kft_fmt_fail_name(ps, "no member", &name);
}

static struct kft_fmt_variable *add_local(struct kft_fmt_parser *ps,
					  const struct kft_fmt_token *t)
{
	if (ps->n_locals == KFT_FMT_LOCAL_MAX) {
		(void)kft_expr_fail(&ps->build, "too many variables");
		return NULL;
	}
	struct kft_fmt_variable *l = &ps->locals[ps->n_locals++];
	*l = (struct kft_fmt_variable){.name = t->start, .len = t->end - t->start};
	return l;
}

struct texts {
	KFT_VEC(struct kft_text) v;
};

static void texts_finish(struct texts *t)
{
	kft_vec_finish(&t->v);
}

/* Parses ""a", "b" }" of an array. */
static bool parse_texts(struct kft_fmt_parser *ps, struct kft_fmt_variable *l)
{
	_cleanup_(texts_finish) struct texts texts = {};

	do {
		const struct kft_expr *e = kft_fmt_expr(ps);

		if (!e || e->op != KFT_EXPR_TEXT || texts.v.len == KFT_FMT_NAMES_MAX) {
			(void)kft_expr_fail(&ps->build, "array that is not of texts");
			return false;
		}
		if (!kft_vec_push(&texts.v, e->text))
			return false;
	} while (kft_fmt_accept(ps, ','));
	struct kft_text *copy = kft_arena_calloc(ps->build.arena, texts.v.len,
						 sizeof(*copy));
	if (!copy || !kft_fmt_expect(ps, '}'))
		return false;
	memcpy(copy, texts.v.data, texts.v.len * sizeof(*copy));
	l->texts = copy;
	l->n_texts = texts.v.len;
	return true;
}

/* Parses "[] = { ..." after the name. */
static bool parse_array(struct kft_fmt_parser *ps, struct kft_fmt_variable *l)
{
	if (!kft_fmt_expect(ps, '[') || !kft_fmt_expect(ps, ']') ||
	    !kft_fmt_expect(ps, '=') || !kft_fmt_expect(ps, '{'))
		return false;
	if (!kft_fmt_token_is(&ps->token, '{'))
		return parse_texts(ps, l);
	l->names = kft_fmt_names(ps, 8, '}', &l->n_names);
	return l->names != NULL;
}

/* Parses "= trace_seq_buffer_ptr(p)": the variable is the text printed from here on. */
static bool parse_seq_pointer(struct kft_fmt_parser *ps, struct kft_fmt_variable *l)
{
	const struct kft_expr *args[1];

	kft_fmt_next(ps);
	l->is_seq = true;
	return kft_fmt_expect(ps, '(') && kft_fmt_args(ps, args, 1) >= 0;
}

struct declared {
	struct kft_fmt_token first; /* first token of the type */
	struct kft_fmt_token name;
	bool is_role;
};

/* Whether the statement starts with "words name" and then '=', '[' or ';'. */
static bool scan_declaration(struct kft_fmt_parser *ps, struct declared *d)
{
	struct kft_fmt_lexer saved_lexer = ps->lexer;
	struct kft_fmt_token saved_token = ps->token;
	unsigned int words = 0;

	*d = (struct declared){.first = ps->token};
	while (ps->token.kind == KFT_FMT_NAME || kft_fmt_token_is(&ps->token, '*')) {
		words += ps->token.kind == KFT_FMT_NAME;
		d->is_role |= kft_fmt_token_is_name(&ps->token, "kvm_mmu_page_role");
		d->name = ps->token;
		kft_fmt_next(ps);
	}
	if (words > 1 && d->name.kind == KFT_FMT_NAME &&
	    (kft_fmt_token_is(&ps->token, '=') || kft_fmt_token_is(&ps->token, '[') ||
	     kft_fmt_token_is(&ps->token, ';')))
		return true;
	ps->lexer = saved_lexer;
	ps->token = saved_token;
	return false;
}

static bool parse_declaration(struct kft_fmt_parser *ps, const struct declared *d)
{
	struct kft_fmt_variable local = {};
	struct kft_ctype type = {};

	if (kft_fmt_token_is(&ps->token, '[')) {
		if (!parse_array(ps, &local))
			return false;
	} else if (kft_fmt_accept(ps, '=')) {
		if (kft_fmt_token_is_name(&ps->token, "trace_seq_buffer_ptr")) {
			if (!parse_seq_pointer(ps, &local))
				return false;
		} else {
			const struct kft_expr *e = kft_fmt_expr(ps);

			(void)kft_ctype_parse(d->first.start,
					      d->name.start - d->first.start,
					      ps->build.long_size, &type);
			local.value = e ? kft_expr_cast(&ps->build, e, &type) : NULL;
			if (!local.value)
				return false;
		}
	}
	struct kft_fmt_variable *l = add_local(ps, &d->name);
	if (!l)
		return false;
	local.name = l->name;
	local.len = l->len;
	local.is_role = d->is_role;
	*l = local;
	return true;
}

/* Parses "name.word = value". */
static bool parse_role_word(struct kft_fmt_parser *ps, struct kft_fmt_variable *l)
{
	struct kft_ctype u32 = {.size = 4};

	kft_fmt_next(ps);
	if (!kft_fmt_expect(ps, '.'))
		return false;
	if (!kft_fmt_token_is_name(&ps->token, "word")) {
		(void)kft_expr_fail(&ps->build, "member that is set");
		return false;
	}
	kft_fmt_next(ps);
	if (!kft_fmt_expect(ps, '='))
		return false;
	const struct kft_expr *e = kft_fmt_expr(ps);
	l->value = e ? kft_expr_cast(&ps->build, e, &u32) : NULL;
	return l->value != NULL;
}

/* Parses trace_seq_printf(p, "format", ...), at the '('. */
static bool parse_seq_printf(struct kft_fmt_parser *ps)
{
	const struct kft_expr **args;
	const char *why = NULL;

	kft_fmt_next(ps);
	if (!kft_fmt_expect(ps, '('))
		return false;
	kft_fmt_next(ps); /* p */
	if (!kft_fmt_expect(ps, ',') || ps->token.kind != KFT_FMT_STRING) {
		(void)kft_expr_fail(&ps->build, "no format to print");
		return false;
	}
	struct kft_fmt_token format = ps->token;
	kft_fmt_next(ps);
	if (!kft_fmt_token_is(&ps->token, ')') && !kft_fmt_expect(ps, ','))
		return false;
	args = kft_arena_calloc(ps->build.arena, KFT_FMT_ARGS_MAX, sizeof(*args));
	if (!args)
		return false;
	int n = kft_fmt_args(ps, args, KFT_FMT_ARGS_MAX);
	if (n < 0)
		return false;
	struct kft_expr *e = kft_expr_new(&ps->build, KFT_EXPR_FORMAT, KFT_EXPR_IS_TEXT);
	if (!e)
		return false;
	for (int i = 0; i < n; i++) {
		e->unknown |= args[i]->unknown;
		e->depth = KFT_MAX(e->depth, (uint16_t)(args[i]->depth + 1));
	}
	int r = kft_print_compile(ps->build.arena, ps->build.long_size, format.text,
				  format.len, args, n, &e->program, &why);
	if (r < 0 || e->depth > KFT_EXPR_DEPTH_MAX) {
		(void)kft_expr_fail(&ps->build, why ? why : "nested too deep");
		return false;
	}
	ps->seq = e;
	return true;
}

/* Skips "do { ... } while (0)" and the like: compile-time checks without a value. */
static bool skip_statement(struct kft_fmt_parser *ps)
{
	unsigned int open = 0;

	while (open || !kft_fmt_token_is(&ps->token, ';')) {
		const struct kft_fmt_token *t = &ps->token;

		if (t->kind == KFT_FMT_END || t->kind == KFT_FMT_BAD)
			return kft_fmt_expect(ps, ';');
		if (kft_fmt_token_is(t, '(') || kft_fmt_token_is(t, '{'))
			open++;
		else if (open && (kft_fmt_token_is(t, ')') || kft_fmt_token_is(t, '}')))
			open--;
		kft_fmt_next(ps);
	}
	return true;
}

static bool is_check(const struct kft_fmt_token *t)
{
	static const char *const checks[] = {
		"do",		"_Static_assert", "static_assert",
		"BUILD_BUG_ON", "extern",	  "_Pragma"};

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		if (kft_fmt_token_is_name(t, checks[i]))
			return true;
	return false;
}

/* Parses up to the ';'. *value becomes the statement's value if it has one. */
static bool parse_statement(struct kft_fmt_parser *ps, const struct kft_expr **value)
{
	struct kft_fmt_variable *local = kft_fmt_find_local(ps, &ps->token);
	struct declared d;

	*value = NULL;
	if (is_check(&ps->token))
		return skip_statement(ps);
	if (local && local->is_role)
		return parse_role_word(ps, local);
	if (kft_fmt_token_is_name(&ps->token, "trace_seq_printf"))
		return parse_seq_printf(ps);
	if (kft_fmt_token_is_name(&ps->token, "trace_seq_putc"))
		return skip_statement(ps); /* trace_seq_putc() of the final NUL */
	if (scan_declaration(ps, &d))
		return parse_declaration(ps, &d);
	*value = kft_fmt_expr(ps);
	return *value != NULL;
}

const struct kft_expr *kft_fmt_statements(struct kft_fmt_parser *ps)
{
	const struct kft_expr *value = NULL;
	size_t outer_locals = ps->n_locals;

	while (!kft_fmt_token_is(&ps->token, '}')) {
		if (kft_fmt_accept(ps, ';'))
			continue;
		if (!parse_statement(ps, &value))
			return NULL;
		if (!kft_fmt_token_is(&ps->token, '}') && !kft_fmt_expect(ps, ';'))
			return NULL;
	}
	ps->n_locals = outer_locals;
	if (!kft_fmt_expect(ps, '}') || !kft_fmt_expect(ps, ')'))
		return NULL;
	return value ? value : kft_expr_fail(&ps->build, "statements without a value");
}
