// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses calls in a `print fmt`: tracing's helpers, C built-ins, functions by name. */
#include <string.h>

#include "decode/printfmt/call.h"
#include "decode/printfmt/helper.h"

struct call {
	const char *name;
	kft_call_fn *parse; /* called after the '('; consumes the ')' */
	int variant;
};

bool kft_fmt_args_n(struct kft_fmt_parser *ps, const struct kft_expr **args, size_t n)
{
	int got = kft_fmt_args(ps, args, n);

	if (got < 0)
		return false;
	if ((size_t)got == n)
		return true;
	(void)kft_expr_fail(&ps->build, "too few arguments");
	return false;
}

bool kft_fmt_skip_to_close(struct kft_fmt_parser *ps)
{
	unsigned int open = 1;

	while (open) {
		if (ps->token.kind == KFT_FMT_END || ps->token.kind == KFT_FMT_BAD)
			return kft_fmt_expect(ps, ')');
		open += kft_fmt_token_is(&ps->token, '(');
		open -= kft_fmt_token_is(&ps->token, ')');
		kft_fmt_next(ps);
	}
	return true;
}

/* Parses "field" or "field[2]", an element of an array of locations. */
static const struct kft_field *field_arg(struct kft_fmt_parser *ps)
{
	struct kft_fmt_token name = ps->token;
	const struct kft_field *f = kft_fmt_field(ps, &name);

	if (!f)
		return NULL;
	kft_fmt_next(ps);
	if (!kft_fmt_accept(ps, '['))
		return f;
	const struct kft_expr *index = kft_fmt_expr(ps);
	if (!index || !kft_fmt_expect(ps, ']'))
		return NULL;
	struct kft_field *one = kft_arena_alloc(ps->build.arena, sizeof(*one));
	if (!one)
		return NULL;
	if (!kft_expr_is_const(index) || index->value >= f->size / sizeof(uint32_t)) {
		(void)kft_expr_fail(&ps->build, "no such element");
		return NULL;
	}
	*one = *f;
	one->offset += index->value * sizeof(uint32_t);
	one->size = sizeof(uint32_t);
	one->elem_size = 1;
	one->kind = KFT_FIELD_STRING;
	one->place = strncmp(f->type, "__rel_loc", strlen("__rel_loc")) == 0
			     ? KFT_FIELD_REL_LOC
			     : KFT_FIELD_DATA_LOC;
	return one;
}

enum { AS_BYTES, AS_STRING };

static const struct kft_expr *parse_dynamic(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_field *f = field_arg(ps);

	if (!f || !kft_fmt_expect(ps, ')'))
		return NULL;
	struct kft_expr *e = kft_expr_bytes_of(&ps->build, f);
	if (e && variant == AS_STRING) {
		e->size = 1;
		e->is_char = true;
	}
	return e;
}

static const struct kft_expr *parse_len(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_field *f = field_arg(ps);

	if (!f || !kft_fmt_expect(ps, ')'))
		return NULL;
	struct kft_expr *e = kft_expr_new(&ps->build, KFT_EXPR_LEN, KFT_EXPR_IS_NUMBER);
	if (!e)
		return NULL;
	e->field = f;
	e->size = 4;
	e->is_signed = true;
	return e;
}

/*
 * Parses __get_bitmask(f) and the like, which print a dynamic field; variant is the op.
 */
static const struct kft_expr *parse_field_text(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *bytes = parse_dynamic(ps, AS_BYTES);

	return bytes ? kft_expr_node(&ps->build, variant, KFT_EXPR_IS_TEXT, bytes, NULL,
				     NULL)
		     : NULL;
}

static bool is_bytes(struct kft_fmt_parser *ps, const struct kft_expr *e)
{
	if (e->cls == KFT_EXPR_IS_BYTES)
		return true;
	(void)kft_expr_fail(&ps->build, "bytes that are not in the record");
	return false;
}

/* Converts a number to int, the type of lengths and counts. */
static const struct kft_expr *as_int(struct kft_fmt_parser *ps, const struct kft_expr *e)
{
	return kft_expr_to(&ps->build, e, 4, true);
}

static const struct kft_expr *parse_hex(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *args[2];

	if (!kft_fmt_args_n(ps, args, 2) || !is_bytes(ps, args[0]))
		return NULL;
	const struct kft_expr *len = as_int(ps, args[1]);
	return len ? kft_expr_node(&ps->build, variant, KFT_EXPR_IS_TEXT, args[0], len,
				   NULL)
		   : NULL;
}

static const struct kft_expr *parse_array(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *args[3];

	if (!kft_fmt_args_n(ps, args, 3) || !is_bytes(ps, args[0]))
		return NULL;
	const struct kft_expr *count = as_int(ps, args[1]);
	const struct kft_expr *size = as_int(ps, args[2]);
	return count && size ? kft_expr_node(&ps->build, KFT_EXPR_ARRAY, KFT_EXPR_IS_TEXT,
					     args[0], count, size)
			     : NULL;
}

/* Parses (field, element size): all elements of a dynamic array. */
static const struct kft_expr *parse_dynamic_array(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *args[1];
	const struct kft_field *f = field_arg(ps);
	const struct kft_expr *bytes = f ? kft_expr_bytes_of(&ps->build, f) : NULL;

	if (!bytes || !kft_fmt_expect(ps, ',') || !kft_fmt_args_n(ps, args, 1))
		return NULL;
	const struct kft_expr *size = as_int(ps, args[0]);
	/* Without a count, all elements are printed. */
	return size ? kft_expr_node(&ps->build, KFT_EXPR_ARRAY, KFT_EXPR_IS_TEXT, bytes,
				    NULL, size)
		    : NULL;
}

/* Appends an operand; the node inherits its flags. False after an error. */
static bool add_arg(struct kft_fmt_parser *ps, struct kft_expr *e,
		    const struct kft_expr *arg)
{
	if (!arg)
		return false;
	e->unknown |= arg->unknown;
	e->depth = KFT_MAX(e->depth, (uint16_t)(arg->depth + 1));
	if (e->depth <= KFT_EXPR_DEPTH_MAX)
		return true;
	(void)kft_expr_fail(&ps->build, "nested too deep");
	return false;
}

/* Parses (prefix, type of prefix, row size, group size, bytes, length, ascii). */
static const struct kft_expr *parse_hex_dump(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr **args = kft_arena_calloc(ps->build.arena, 7,
							sizeof(*args));

	if (!args || !kft_fmt_args_n(ps, args, 7) || !is_bytes(ps, args[4]))
		return NULL;
	struct kft_expr *e = kft_expr_new(&ps->build, KFT_EXPR_HEX_DUMP,
					  KFT_EXPR_IS_TEXT);
	for (size_t i = 0; e && i < 7; i++)
		if (!add_arg(ps, e, i == 4 || i == 0 ? args[i] : as_int(ps, args[i])))
			return NULL;
	if (e)
		e->args = args;
	return e;
}

static const struct kft_expr *parse_expect(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *args[2];

	return kft_fmt_args_n(ps, args, 2) ? args[0] : NULL;
}

static const struct kft_expr *parse_constant_p(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *args[1];

	if (!kft_fmt_args_n(ps, args, 1))
		return NULL;
	return kft_expr_const(&ps->build, kft_expr_is_const(args[0]), 4, true);
}

static const struct kft_expr *parse_choose(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *args[3];

	if (!kft_fmt_args_n(ps, args, 3))
		return NULL;
	if (!kft_expr_is_const(args[0]))
		return kft_expr_fail(&ps->build, "choice that is not constant");
	return args[args[0]->value ? 1 : 2];
}

/* Parses f(x), a division of x by variant, as u64. */
static const struct kft_expr *parse_divide(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *args[1];

	if (!kft_fmt_args_n(ps, args, 1))
		return NULL;
	const struct kft_expr *x = kft_expr_to(&ps->build, args[0], 8, false);
	const struct kft_expr *by = kft_expr_const(&ps->build, variant, 8, false);
	return x && by ? kft_expr_binary(&ps->build, KFT_EXPR_DIV, x, by) : NULL;
}

/* Parses __print_ns_without_secs(): the remainder as u32. */
static const struct kft_expr *parse_modulo(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *args[1];

	if (!kft_fmt_args_n(ps, args, 1))
		return NULL;
	const struct kft_expr *x = kft_expr_to(&ps->build, args[0], 8, false);
	const struct kft_expr *by = kft_expr_const(&ps->build, variant, 8, false);
	const struct kft_expr *rest =
		x && by ? kft_expr_binary(&ps->build, KFT_EXPR_MOD, x, by) : NULL;
	return rest ? kft_expr_to(&ps->build, rest, 4, false) : NULL;
}

static const struct kft_expr *parse_ffs(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *args[1];

	if (!kft_fmt_args_n(ps, args, 1))
		return NULL;
	const struct kft_expr *e = kft_expr_unary(&ps->build, KFT_EXPR_FFS, args[0]);
	return e ? as_int(ps, e) : NULL;
}

/*
 * Parses __builtin_clz() of a constant: the zeros above the highest set bit, of
 * `variant` bits (0: a long).
 */
static const struct kft_expr *parse_clz(struct kft_fmt_parser *ps, int variant)
{
	const struct kft_expr *args[1];
	int bits = variant ? variant : 8 * (int)ps->build.long_size;

	if (!kft_fmt_args_n(ps, args, 1))
		return NULL;
	if (!kft_expr_is_const(args[0]) || args[0]->value == 0)
		return kft_expr_unknown(&ps->build);
	return kft_expr_const(&ps->build, __builtin_clzll(args[0]->value) - (64 - bits),
			      4, true);
}

static const struct call calls[] = {
	{"__print_flags", kft_call_flags, KFT_NAMES_LONG},
	{"__print_flags_u64", kft_call_flags, KFT_NAMES_U64},
	{"__print_symbolic", kft_call_symbolic, KFT_NAMES_LONG},
	{"__print_symbolic_u64", kft_call_symbolic, KFT_NAMES_U64},
	{"trace_print_symbols_seq", kft_call_seq_symbols, KFT_NAMES_LONG},
	{"trace_print_symbols_seq_u64", kft_call_seq_symbols, KFT_NAMES_U64},
	{"trace_print_flags_seq", kft_call_seq_flags, KFT_NAMES_LONG},
	{"trace_print_flags_seq_u64", kft_call_seq_flags, KFT_NAMES_U64},
	{"__print_hex", parse_hex, KFT_EXPR_HEX},
	{"__print_hex_str", parse_hex, KFT_EXPR_HEX_STR},
	{"__print_array", parse_array, 0},
	{"__print_dynamic_array", parse_dynamic_array, 0},
	{"__print_hex_dump", parse_hex_dump, 0},
	{"__print_ns_to_secs", parse_divide, 1000000000},
	{"__print_ns_without_secs", parse_modulo, 1000000000},
	{"__get_str", parse_dynamic, AS_STRING},
	{"__get_rel_str", parse_dynamic, AS_STRING},
	{"__get_dynamic_array", parse_dynamic, AS_BYTES},
	{"__get_rel_dynamic_array", parse_dynamic, AS_BYTES},
	{"__get_dynamic_array_len", parse_len, 0},
	{"__get_rel_dynamic_array_len", parse_len, 0},
	{"__get_sockaddr", parse_dynamic, AS_BYTES},
	{"__get_rel_sockaddr", parse_dynamic, AS_BYTES},
	{"__get_sockaddr_rel", parse_dynamic, AS_BYTES},
	{"__get_bitmask", parse_field_text, KFT_EXPR_BITMASK},
	{"__get_rel_bitmask", parse_field_text, KFT_EXPR_BITMASK},
	{"__get_cpumask", parse_field_text, KFT_EXPR_CPUMASK},
	{"__get_rel_cpumask", parse_field_text, KFT_EXPR_CPUMASK},
	{"__get_stacktrace", parse_field_text, KFT_EXPR_STACK},
	{"__get_rel_stacktrace", parse_field_text, KFT_EXPR_STACK},
	{"__builtin_expect", parse_expect, 0},
	{"__builtin_constant_p", parse_constant_p, 0},
	{"__builtin_choose_expr", parse_choose, 0},
	{"sizeof", kft_call_sizeof, 0},
	{"__ffs", parse_ffs, 0},
	{"__builtin_ctz", parse_ffs, 0},
	{"__builtin_ctzl", parse_ffs, 0},
	{"__builtin_ctzll", parse_ffs, 0},
	{"__builtin_clzll", parse_clz, 64},
	{"__builtin_clzl", parse_clz, 0},
	{"__builtin_clz", parse_clz, 32},
	/* The trace lacks the length of a jiffy, so the number of jiffies is shown. */
	{"jiffies_to_msecs", parse_divide, 1},
	{"ktime_to_ns", parse_divide, 1},
	{"ktime_to_us", parse_divide, 1000},
	{"ktime_to_ms", parse_divide, 1000000},
};

/* Functions that swap bytes: "be32_to_cpu", "__swab16p", "ntohs". */
struct swap_name {
	uint8_t size;
	bool swaps;
	bool through_pointer;
};

static bool contains(const char *s, size_t len, const char *what)
{
	return memmem(s, len, what, strlen(what)) != NULL;
}

static bool is_swap(const struct kft_fmt_parser *ps, const struct kft_fmt_token *t,
		    struct swap_name *ret)
{
	const char *s = t->start;
	size_t n = t->end - s;
	bool to_cpu = contains(s, n, "_to_cpu") || contains(s, n, "cpu_to_");

	*ret = (struct swap_name){.through_pointer = n > 1 && s[n - 1] == 'p'};
	if (kft_fmt_token_is_name(t, "ntohs") || kft_fmt_token_is_name(t, "htons"))
		ret->size = 2;
	else if (kft_fmt_token_is_name(t, "ntohl") || kft_fmt_token_is_name(t, "htonl"))
		ret->size = 4;
	if (ret->size) {
		ret->swaps = !ps->big_endian;
		return true;
	}
	if (to_cpu && contains(s, n, "be"))
		ret->swaps = !ps->big_endian;
	else if (to_cpu && contains(s, n, "le"))
		ret->swaps = ps->big_endian;
	else if (contains(s, n, "swab") || contains(s, n, "__builtin_bswap"))
		ret->swaps = true;
	else
		return false;
	ret->size = contains(s, n, "16")   ? 2
		    : contains(s, n, "32") ? 4
		    : contains(s, n, "64") ? 8
					   : 0;
	return ret->size != 0;
}

static const struct kft_expr *swapped(struct kft_fmt_parser *ps,
				      const struct swap_name *name)
{
	const struct kft_expr *args[1];

	if (!kft_fmt_args_n(ps, args, 1))
		return NULL;
	const struct kft_expr *x = args[0];
	if (name->through_pointer) {
		const struct kft_expr *zero = kft_expr_const(&ps->build, 0, 4, true);

		x = zero ? kft_expr_elem(&ps->build, x, zero) : NULL;
	}
	x = x ? kft_expr_to(&ps->build, x, name->size, false) : NULL;
	if (!x || !name->swaps)
		return x;
	return kft_expr_unary(&ps->build, KFT_EXPR_SWAP, x);
}

/*
 * Converts an argument to the helper's parameter, or fails; numbers become 64 bits wide.
 */
static const struct kft_expr *fit(struct kft_fmt_parser *ps, char kind,
				  const struct kft_expr *arg)
{
	switch (kind) {
	case 'n':
		return kft_expr_to(&ps->build, arg, 8, arg->is_signed);
	case 'b':
		return is_bytes(ps, arg) ? arg : NULL;
	default: /* the trace_seq to print to: not used */
		return kft_expr_const(&ps->build, 0, 4, true);
	}
}

static const struct kft_expr *call_helper(struct kft_fmt_parser *ps,
					  const struct kft_helper *h)
{
	size_t n = strlen(h->args);
	const struct kft_expr **args = kft_arena_calloc(ps->build.arena, n + 1,
							sizeof(*args));

	if (!args || !kft_fmt_args_n(ps, args, n))
		return NULL;
	struct kft_expr *e = kft_expr_node(&ps->build, KFT_EXPR_CALL, KFT_EXPR_IS_TEXT,
					   NULL, NULL, NULL);
	for (size_t i = 0; e && i < n; i++) {
		args[i] = fit(ps, h->args[i], args[i]);
		if (!add_arg(ps, e, args[i]))
			return NULL;
	}
	if (!e)
		return NULL;
	e->args = args;
	e->helper = h;
	return e;
}

/*
 * A call of an unknown function. This is not an error yet: the call may never be
 * evaluated, as in x ? known : unknown(y).
 */
static const struct kft_expr *unknown_call(struct kft_fmt_parser *ps,
					   const struct kft_fmt_token *name)
{
	if (!kft_fmt_skip_to_close(ps))
		return NULL;
	ps->unknown = *name;
	return kft_expr_unknown(&ps->build);
}

const struct kft_expr *kft_fmt_call(struct kft_fmt_parser *ps,
				    const struct kft_fmt_token *name)
{
	struct swap_name swap;

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (kft_fmt_token_is_name(name, calls[i].name))
			return calls[i].parse(ps, calls[i].variant);
	if (is_swap(ps, name, &swap))
		return swapped(ps, &swap);
	const struct kft_helper *h = kft_helper_find(name->start,
						     name->end - name->start);
	if (h)
		return call_helper(ps, h);
	return unknown_call(ps, name);
}
