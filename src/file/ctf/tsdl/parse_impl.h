/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/ctf/tsdl/lex.h"
#include "file/ctf/type.h"

/* Shared by the files of the TSDL parser. All functions return 0, -EINVAL or -ENOMEM. */

/* A named type, visible in the block that declared it and in blocks inside. */
struct kft_ctf_named {
	const char *name; /* "uint8_t", "unsigned long", "struct a", "variant b" */
	const struct kft_ctf_type *type;
};

struct kft_ctf_parser {
	struct kft_ctf_lex lex;
	struct kft_ctf_meta *meta;
	struct kft_err *e;
	/* Types declared so far; the end of a block removes those that it declared. */
	KFT_VEC(struct kft_ctf_named) names;
	unsigned int depth;
};

/* Tokens. */
bool kft_ctf_at(const struct kft_ctf_parser *p, const char *word);
bool kft_ctf_take(struct kft_ctf_parser *p, const char *word);
int kft_ctf_expect(struct kft_ctf_parser *p, const char *word) __must_check;
int kft_ctf_take_name(struct kft_ctf_parser *p, const char **ret) __must_check;
int kft_ctf_take_int(struct kft_ctf_parser *p, int64_t *ret) __must_check;
/* Takes names with '.', '->' and blanks between: "clock.monotonic.value". */
int kft_ctf_take_path(struct kft_ctf_parser *p, const char **ret) __must_check;
/* Takes a quoted text; *ret is NULL when something else is next. */
int kft_ctf_take_quoted(struct kft_ctf_parser *p, const char **ret) __must_check;
/* Takes a value: *ret_text is a quoted text or a path, or NULL for a number. */
int kft_ctf_take_value(struct kft_ctf_parser *p, const char **ret_text,
		       int64_t *ret_number) __must_check;
int kft_ctf_fail(struct kft_ctf_parser *p, const char *what) __must_check;
int kft_ctf_no_memory(struct kft_ctf_parser *p);

/* Limits the nesting of blocks; each success needs a kft_ctf_leave(). */
int kft_ctf_enter(struct kft_ctf_parser *p) __must_check;
void kft_ctf_leave(struct kft_ctf_parser *p);

#define KFT_CTF_WORD_MAX 256 /* maximum of bytes of a type's name */

/* A type with defaults; NULL when out of memory. */
struct kft_ctf_type *kft_ctf_new_type(struct kft_ctf_parser *p, enum kft_ctf_kind kind);

/* Declares a named type in the current block. */
int kft_ctf_declare(struct kft_ctf_parser *p, const char *name,
		    const struct kft_ctf_type *type) __must_check;

/* Finds the innermost declaration of the name. NULL: none. */
const struct kft_ctf_type *kft_ctf_find_named(const struct kft_ctf_parser *p,
					      const char *name);

/* The keyword was taken; these parse the rest of the type. */
int kft_ctf_parse_struct(struct kft_ctf_parser *p,
			 const struct kft_ctf_type **ret) __must_check;
int kft_ctf_parse_variant(struct kft_ctf_parser *p,
			  const struct kft_ctf_type **ret) __must_check;
int kft_ctf_parse_enum(struct kft_ctf_parser *p,
		       const struct kft_ctf_type **ret) __must_check;

/* Parses a type specifier, which stands before a declarator. */
int kft_ctf_parse_type(struct kft_ctf_parser *p,
		       const struct kft_ctf_type **ret) __must_check;

/*
 * Parses "name[4][len]"; type is that of the elements. *ret_name is "" when the name is
 * missing where it is optional.
 */
int kft_ctf_parse_declarator(struct kft_ctf_parser *p, const struct kft_ctf_type *type,
			     const char **ret_name,
			     const struct kft_ctf_type **ret) __must_check;

/* Parses a typedef or typealias: 1; 0: something else is next. */
int kft_ctf_parse_naming(struct kft_ctf_parser *p) __must_check;

/* Parse the braces of an integer, a float or a string. */
int kft_ctf_parse_integer(struct kft_ctf_parser *p, struct kft_ctf_type *t) __must_check;
int kft_ctf_parse_float(struct kft_ctf_parser *p, struct kft_ctf_type *t) __must_check;
int kft_ctf_parse_string(struct kft_ctf_parser *p, struct kft_ctf_type *t) __must_check;
