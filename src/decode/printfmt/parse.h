/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_PARSE_H
#define KFT_DECODE_PRINTFMT_PARSE_H

#include "decode/printfmt/expr.h"
#include "decode/printfmt/lex.h"
#include "decode/printfmt/names.h"
#include "model/trace.h"

/*
 * Reads a `print fmt`: a format string and the C expressions that follow it. Recursive
 * descent, with these limits; what passes one, or is no expression that this knows, is
 * an error whose reason is in build.why (NULL: out of memory).
 */
#define KFT_FMT_DEPTH_MAX 100 /* parentheses and the like within each other */
#define KFT_FMT_ARGS_MAX  256 /* arguments of one format or call */
#define KFT_FMT_NAMES_MAX 4096 /* entries of one table of names */
#define KFT_FMT_LOCAL_MAX 16 /* variables of a ({ }) */

/* A variable of a statement expression. */
struct kft_fmt_variable {
	const char *name; /* in the text */
	size_t len;
	const struct kft_expr *value; /* NULL: not assigned yet */
	bool is_role; /* union kvm_mmu_page_role: has members */
	const struct kft_text *texts; /* an array of texts */
	size_t n_texts;
	bool is_seq; /* holds where trace_seq_printf() will print */
	struct kft_name *names; /* a table for trace_print_symbols_seq() */
	size_t n_names;
};

struct kft_fmt_parser {
	struct kft_expr_build build;
	struct kft_fmt_lexer lexer;
	struct kft_fmt_token token; /* the one to be read next */
	const struct kft_class *cls;
	struct kft_trace *trace; /* whose symbols are addresses by name; may be NULL */
	bool big_endian; /* the traced kernel */
	unsigned int depth;
	struct kft_fmt_variable locals[KFT_FMT_LOCAL_MAX];
	size_t n_locals;
	const struct kft_expr *seq; /* what trace_seq_printf() printed */
	struct kft_fmt_token unknown; /* the last name or function nobody knows */
};

struct kft_fmt_env {
	const struct kft_class *cls;
	struct kft_arena *arena;
	struct kft_trace *trace; /* borrowed; NULL: no symbols */
	uint32_t long_size;
	bool big_endian;
};

/* What a print fmt consists of. */
struct kft_fmt_parsed {
	const char *format;
	size_t format_len;
	const struct kft_expr *args[KFT_FMT_ARGS_MAX];
	size_t n_args;
};

/*
 * 0, -EINVAL with *ret_why (in the arena or constant) for what cannot be read, -ENOMEM.
 */
int kft_fmt_parse(const struct kft_fmt_env *env, const char *text,
		  struct kft_fmt_parsed *ret, const char **ret_why) __must_check;

/* For the parts of the parser. All return NULL or false after an error. */
void kft_fmt_next(struct kft_fmt_parser *ps);
bool kft_fmt_accept(struct kft_fmt_parser *ps, int punct);
bool kft_fmt_expect(struct kft_fmt_parser *ps, int punct);
const struct kft_expr *kft_fmt_expr(struct kft_fmt_parser *ps);
struct kft_fmt_variable *kft_fmt_find_local(struct kft_fmt_parser *ps,
					    const struct kft_fmt_token *t);

/* Reason with a name from the text in it: "function 'foo' is not known". */
struct kft_expr *kft_fmt_fail_name(struct kft_fmt_parser *ps, const char *what,
				   const struct kft_fmt_token *name);

/* The arguments of a call up to and with the ')', the '(' being read. -1 on error. */
int kft_fmt_args(struct kft_fmt_parser *ps, const struct kft_expr **args, size_t max);

/* print_call.c: NAME(...), the '(' being read. */
const struct kft_expr *kft_fmt_call(struct kft_fmt_parser *ps,
				    const struct kft_fmt_token *name);

/*
 * print_tables.c: "{ value, "name" }, ..." and the closing punctuator, as an array in the
 * arena. Values are cut to size bytes; names of no known value are left out. NULL on error.
 */
struct kft_name *kft_fmt_names(struct kft_fmt_parser *ps, uint8_t size, int close,
			       size_t *ret_n);

/* print_stmt.c: ({ ... }), the "({" being read; reads "})" too. */
const struct kft_expr *kft_fmt_statements(struct kft_fmt_parser *ps);

/* print_stmt.c: .member of a local variable with members. */
const struct kft_expr *kft_fmt_member(struct kft_fmt_parser *ps,
				      const struct kft_fmt_variable *local);

/* A field by name, with "__data_loc_" and "__rel_loc_" before it accepted. */
const struct kft_field *kft_fmt_field(struct kft_fmt_parser *ps,
				      const struct kft_fmt_token *name);

#endif
