/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_PARSE_IMPL_H
#define KFT_FILE_CTF_PARSE_IMPL_H

#include "file/ctf/lex.h"
#include "file/ctf/type.h"

/* Shared by the files of the TSDL parser. All functions return 0, -EINVAL or -ENOMEM. */

/* What a type's name stands for, in the block that declared it and those inside. */
struct kft_ctf_named {
	const char *name; /* "uint8_t", "unsigned long", "struct a", "variant b" */
	const struct kft_ctf_type *type;
};

struct kft_ctf_parser {
	struct kft_ctf_lex lex;
	struct kft_ctf_meta *meta;
	struct kft_err *e;
	/* Declared so far; a block that ends takes what it declared with it. */
	KFT_VEC(struct kft_ctf_named) names;
	unsigned int depth;
};

/* Words. */
bool kft_ctf_at(const struct kft_ctf_parser *p, const char *word);
bool kft_ctf_take(struct kft_ctf_parser *p, const char *word);
int kft_ctf_expect(struct kft_ctf_parser *p, const char *word) __must_check;
int kft_ctf_take_name(struct kft_ctf_parser *p, const char **ret) __must_check;
int kft_ctf_take_int(struct kft_ctf_parser *p, int64_t *ret) __must_check;
/* Names with '.', '->' and blanks between: "clock.monotonic.value". */
int kft_ctf_take_path(struct kft_ctf_parser *p, const char **ret) __must_check;
/* A quoted text, or NULL when something else is next. */
int kft_ctf_take_quoted(struct kft_ctf_parser *p, const char **ret) __must_check;
/* A value: *ret_text is a quoted text or a path, or NULL for a number. */
int kft_ctf_take_value(struct kft_ctf_parser *p, const char **ret_text,
		       int64_t *ret_number) __must_check;
int kft_ctf_fail(struct kft_ctf_parser *p, const char *what) __must_check;
int kft_ctf_no_memory(struct kft_ctf_parser *p);

/* Counts blocks in blocks; every true is followed by a leave. */
int kft_ctf_enter(struct kft_ctf_parser *p) __must_check;
void kft_ctf_leave(struct kft_ctf_parser *p);

#define KFT_CTF_WORD_MAX 256 /* bytes of a type's name */

/* A type with defaults; NULL when out of memory. */
struct kft_ctf_type *kft_ctf_new_type(struct kft_ctf_parser *p, enum kft_ctf_kind kind);

/* Names a type. */
int kft_ctf_declare(struct kft_ctf_parser *p, const char *name,
		    const struct kft_ctf_type *type) __must_check;

/* The newest of the name: a block's own names hide those around it. NULL: none. */
const struct kft_ctf_type *kft_ctf_find_named(const struct kft_ctf_parser *p,
					      const char *name);

/* Behind the word that says which it is. */
int kft_ctf_parse_struct(struct kft_ctf_parser *p,
			 const struct kft_ctf_type **ret) __must_check;
int kft_ctf_parse_variant(struct kft_ctf_parser *p,
			  const struct kft_ctf_type **ret) __must_check;
int kft_ctf_parse_enum(struct kft_ctf_parser *p,
		       const struct kft_ctf_type **ret) __must_check;

/* A type as it stands before a declarator. */
int kft_ctf_parse_type(struct kft_ctf_parser *p,
		       const struct kft_ctf_type **ret) __must_check;

/* "name[4][len]" of an element type; *ret_name is "" where it may lack one and does. */
int kft_ctf_parse_declarator(struct kft_ctf_parser *p, const struct kft_ctf_type *type,
			     const char **ret_name,
			     const struct kft_ctf_type **ret) __must_check;

/* Is a declaration of types next? Then it is parsed: 1; 0: something else is next. */
int kft_ctf_parse_naming(struct kft_ctf_parser *p) __must_check;

/* The integer's, float's, string's braces. */
int kft_ctf_parse_integer(struct kft_ctf_parser *p, struct kft_ctf_type *t) __must_check;
int kft_ctf_parse_float(struct kft_ctf_parser *p, struct kft_ctf_type *t) __must_check;
int kft_ctf_parse_string(struct kft_ctf_parser *p, struct kft_ctf_type *t) __must_check;

#endif
