// SPDX-License-Identifier: LGPL-2.1-or-later
/* Evaluates sizeof() in print formats. */
#include "decode/printfmt/call.h"

struct known_struct {
	const char *name;
	uint8_t size; /* bytes; 0: eight longs */
};

/* Structures with the same size in every kernel; struct page is close to it. */
static const struct known_struct known_structs[] = {
	{"in_addr", 4},	     {"in6_addr", 16},	   {"sockaddr", 16},
	{"sockaddr_in", 16}, {"sockaddr_in6", 28}, {"sockaddr_storage", 128},
	{"page", 0},	     {"ethhdr", 14},
};

/* Parses sizeof(struct NAME), at the name. */
static const struct kft_expr *sizeof_struct(struct kft_fmt_parser *ps)
{
	struct kft_fmt_token t = ps->token;
	uint8_t long_size = ps->build.long_size;

	/* BUILD_BUG_ON_ZERO() has sizeof(struct { int:0; }). */
	if (kft_fmt_token_is(&t, '{'))
		return kft_fmt_skip_to_close(ps)
			       ? kft_expr_const(&ps->build, 0, long_size, false)
			       : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(known_structs); i++) {
		if (!kft_fmt_token_is_name(&t, known_structs[i].name))
			continue;
		size_t size = known_structs[i].size ? known_structs[i].size
						    : 8 * long_size;
		return kft_fmt_skip_to_close(ps)
			       ? kft_expr_const(&ps->build, size, long_size, false)
			       : NULL;
	}
	return kft_fmt_fail_name(ps, "size of structure", &t);
}

static size_t size_of(const struct kft_expr *e)
{
	if (e->cls == KFT_EXPR_IS_TEXT)
		return e->op == KFT_EXPR_TEXT ? e->text.len + 1 : 0;
	if (e->op == KFT_EXPR_FIELD && e->field->place == KFT_FIELD_INLINE)
		return e->field->size;
	return e->size;
}

/* Parses words up to the ')' if they are a type, and consumes the ')' then. */
static bool sizeof_type(struct kft_fmt_parser *ps, struct kft_ctype *type)
{
	struct kft_fmt_lexer saved_lexer = ps->lexer;
	struct kft_fmt_token saved_token = ps->token;
	const char *start = ps->token.start;
	const char *end = start;

	while (ps->token.kind == KFT_FMT_NAME || kft_fmt_token_is(&ps->token, '*')) {
		end = ps->token.end;
		kft_fmt_next(ps);
	}
	(void)kft_ctype_parse(start, end - start, ps->build.long_size, type);
	if (type->size && kft_fmt_accept(ps, ')'))
		return true;
	ps->lexer = saved_lexer;
	ps->token = saved_token;
	return false;
}

const struct kft_expr *kft_call_sizeof(struct kft_fmt_parser *ps, int variant)
{
	uint8_t long_size = ps->build.long_size;
	struct kft_ctype type = {};
	const struct kft_expr *args[1];

	if (sizeof_type(ps, &type))
		return kft_expr_const(&ps->build, type.size, long_size, false);
	if (kft_fmt_token_is_name(&ps->token, "struct") ||
	    kft_fmt_token_is_name(&ps->token, "union")) {
		kft_fmt_next(ps);
		return sizeof_struct(ps);
	}
	if (!kft_fmt_args_n(ps, args, 1))
		return NULL;
	size_t size = size_of(args[0]);
	if (!size)
		return kft_expr_fail(&ps->build, "size of an unknown type");
	return kft_expr_const(&ps->build, size, long_size, false);
}
