/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/expr.h"
#include "decode/printfmt/lex.h"
#include "decode/printfmt/names.h"
#include "model/trace.h"

/*
 * Parses a `print fmt`: a format string and the C expressions after it. The parser is
 * recursive, with these limits. A text beyond a limit, or with unknown syntax, is an
 * error with its reason in build.why (NULL: out of memory).
 */
#define KFT_FMT_DEPTH_MAX 100 /* nesting depth of parentheses and the like */
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
	bool is_seq; /* points to the position where trace_seq_printf() will print */
	struct kft_name *names; /* a table for trace_print_symbols_seq() */
	size_t n_names;
};

struct kft_fmt_parser {
	struct kft_expr_build build;
	struct kft_fmt_lexer lexer;
	struct kft_fmt_token token; /* the next token */
	const struct kft_class *cls;
	struct kft_trace *trace; /* for addresses of symbols; may be NULL */
	bool big_endian; /* byte order of the traced kernel */
	unsigned int depth;
	struct kft_fmt_variable locals[KFT_FMT_LOCAL_MAX];
	size_t n_locals;
	const struct kft_expr *seq; /* the text printed by trace_seq_printf() */
	struct kft_fmt_token unknown; /* the last unknown name or function */
};

struct kft_fmt_env {
	const struct kft_class *cls;
	struct kft_arena *arena;
	struct kft_trace *trace; /* borrowed; NULL: no symbols */
	uint32_t long_size;
	bool big_endian;
};

/* A parsed print fmt. */
struct kft_fmt_parsed {
	const char *format;
	size_t format_len;
	const struct kft_expr *args[KFT_FMT_ARGS_MAX];
	size_t n_args;
};

/*
 * 0, -EINVAL with *ret_why (in the arena or constant) for a text that
 * cannot be parsed, -ENOMEM.
 */
int kft_fmt_parse(const struct kft_fmt_env *env, const char *text,
		  struct kft_fmt_parsed *ret, const char **ret_why) __must_check;

/* For the other files of the parser. All return NULL or false after an error. */
void kft_fmt_next(struct kft_fmt_parser *ps);
bool kft_fmt_accept(struct kft_fmt_parser *ps, int punct);
bool kft_fmt_expect(struct kft_fmt_parser *ps, int punct);
const struct kft_expr *kft_fmt_expr(struct kft_fmt_parser *ps);
struct kft_fmt_variable *kft_fmt_find_local(struct kft_fmt_parser *ps,
					    const struct kft_fmt_token *t);

/* Fails with a reason that contains a name: "function 'foo' is not known". */
struct kft_expr *kft_fmt_fail_name(struct kft_fmt_parser *ps, const char *what,
				   const struct kft_fmt_token *name);

/*
 * Parses the arguments of a call up to and including the ')'; the current
 * token is the '('. -1 on error.
 */
int kft_fmt_args(struct kft_fmt_parser *ps, const struct kft_expr **args, size_t max);

/* call.c: parses NAME(...); the current token is the '('. */
const struct kft_expr *kft_fmt_call(struct kft_fmt_parser *ps,
				    const struct kft_fmt_token *name);

/*
 * tables.c: parses "{ value, "name" }, ..." and the closing punctuator into an
 * array in the arena. Values are cut to size bytes; names with an unknown value
 * are left out. NULL on error.
 */
struct kft_name *kft_fmt_names(struct kft_fmt_parser *ps, uint8_t size, int close,
			       size_t *ret_n);

/* stmt.c: parses ({ ... }) including the "})"; the current token is the "({". */
const struct kft_expr *kft_fmt_statements(struct kft_fmt_parser *ps);

/* stmt.c: parses .member of a local variable with members. */
const struct kft_expr *kft_fmt_member(struct kft_fmt_parser *ps,
				      const struct kft_fmt_variable *local);

/* Finds a field by name; the prefixes "__data_loc_" and "__rel_loc_" are allowed. */
const struct kft_field *kft_fmt_field(struct kft_fmt_parser *ps,
				      const struct kft_fmt_token *name);
