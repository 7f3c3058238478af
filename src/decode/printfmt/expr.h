/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_EXPR_H
#define KFT_DECODE_PRINTFMT_EXPR_H

#include "base/arena.h"
#include "decode/ctype.h"
#include "model/class.h"

/*
 * The arguments of a `print fmt` as typed trees. They are built by the constructors
 * below, which apply C's rules (promotion, usual conversions, pointer arithmetic in
 * elements) and fold constants, and evaluated by decode/print_eval.h.
 */
enum kft_expr_op {
	/* numbers */
	KFT_EXPR_CONST,
	KFT_EXPR_LOAD, /* integer at a fixed place of the record */
	KFT_EXPR_LOAD_AND, /* the same & mask, the most frequent pair */
	KFT_EXPR_ELEM, /* a[b] */
	KFT_EXPR_LEN, /* bytes that a dynamic field has */
	KFT_EXPR_CAST,
	KFT_EXPR_NEG,
	KFT_EXPR_INVERT,
	KFT_EXPR_NOT,
	KFT_EXPR_SWAP, /* byte order of a turned around */
	KFT_EXPR_FFS, /* lowest bit set in a, counted from 0 */
	KFT_EXPR_ADD,
	KFT_EXPR_SUB,
	KFT_EXPR_MUL,
	KFT_EXPR_DIV,
	KFT_EXPR_MOD,
	KFT_EXPR_SHL,
	KFT_EXPR_SHR,
	KFT_EXPR_AND,
	KFT_EXPR_OR,
	KFT_EXPR_XOR,
	KFT_EXPR_LT,
	KFT_EXPR_LE,
	KFT_EXPR_EQ,
	KFT_EXPR_NE,
	KFT_EXPR_ANDAND,
	KFT_EXPR_OROR,
	/* numbers, bytes or text */
	KFT_EXPR_COND, /* a ? b : c */
	/* bytes of the record */
	KFT_EXPR_FIELD,
	KFT_EXPR_RECORD, /* all of it */
	KFT_EXPR_SKIP, /* a without its first b elements */
	/* text */
	KFT_EXPR_TEXT,
	KFT_EXPR_PICK, /* one of several texts by number a */
	KFT_EXPR_FLAGS, /* names of the bits of a */
	KFT_EXPR_SYMBOLIC, /* name of the value a */
	KFT_EXPR_HEX, /* bytes a, b of them: "01 02" */
	KFT_EXPR_HEX_STR, /* "0102" */
	KFT_EXPR_ARRAY, /* bytes a, b elements of c bytes: "{0x1,0x2}" */
	KFT_EXPR_HEX_DUMP, /* bytes a, b of them, in lines */
	KFT_EXPR_BITMASK, /* bytes a: "00000000,0000000f" */
	KFT_EXPR_CPUMASK, /* bytes a: "0-3" */
	KFT_EXPR_STACK, /* bytes a: a line per address */
	KFT_EXPR_FORMAT, /* another format with its own arguments */
	KFT_EXPR_CALL, /* a kernel function that this knows */
};

enum kft_expr_class {
	KFT_EXPR_IS_NUMBER,
	KFT_EXPR_IS_BYTES,
	KFT_EXPR_IS_TEXT,
};

struct kft_name_table; /* decode/print_names.h */
struct kft_print_program; /* decode/print_program.h */
struct kft_helper; /* decode/print_helper.h */

/* Texts to pick from. */
struct kft_text {
	const char *data; /* safe for a terminal: already escaped */
	size_t len;
};

struct kft_expr {
	uint8_t op; /* enum kft_expr_op */
	uint8_t cls; /* enum kft_expr_class */
	/*
	 * A number's type: 1, 2, 4 or 8 bytes. For bytes the type of an element; size 0
	 * when it is not known (a struct).
	 */
	uint8_t size;
	bool is_signed;
	bool is_pointer; /* a number that is an address in the kernel */
	bool is_char; /* bytes that are a string */
	bool unknown; /* holds a name or call that nobody knows: not to be printed */
	/*
	 * LOAD and ELEM: the type in the record; CAST: the one that is cut to. The node's
	 * own type may be a wider one since, where that does not change the value.
	 */
	uint8_t load_size;
	bool load_signed;
	uint16_t depth; /* of the tree */
	uint32_t offset; /* LOAD */
	union {
		struct {
			const struct kft_expr *a;
			const struct kft_expr *b;
			const struct kft_expr *c;
		};
		struct {
			const struct kft_expr *const *args; /* CALL */
			const struct kft_helper *helper;
		};
		uint64_t value; /* CONST; the mask of LOAD_AND */
		const struct kft_field *field; /* FIELD, LEN */
		struct kft_text text; /* TEXT */
		const struct kft_print_program *program; /* FORMAT */
	};
	union {
		const struct kft_name_table *names; /* FLAGS, SYMBOLIC */
		struct {
			const struct kft_text *texts; /* PICK */
			size_t n_texts;
		};
	};
};

/* Trees deeper than this are refused: evaluation recurses. */
#define KFT_EXPR_DEPTH_MAX 200

/*
 * What the constructors need. They return NULL when it cannot be done; why then says
 * so (the first reason stays), or is NULL when memory ran out.
 */
struct kft_expr_build {
	struct kft_arena *arena;
	uint32_t long_size; /* 4 or 8 */
	const char *why;
};

/* NULL, having noted why. */
struct kft_expr *kft_expr_fail(struct kft_expr_build *b, const char *why);

struct kft_expr *kft_expr_new(struct kft_expr_build *b, enum kft_expr_op op,
			      enum kft_expr_class cls);
struct kft_expr *kft_expr_const(struct kft_expr_build *b, uint64_t v, uint8_t size,
				bool is_signed);
struct kft_expr *kft_expr_unknown(struct kft_expr_build *b);
struct kft_expr *kft_expr_text(struct kft_expr_build *b, const char *s, size_t len);

/* A field as REC->field means it: a number, or the bytes of an array. */
struct kft_expr *kft_expr_field(struct kft_expr_build *b, const struct kft_field *f);

/* The bytes of a field, a number's too: &REC->field, __get_str(field). */
struct kft_expr *kft_expr_bytes_of(struct kft_expr_build *b, const struct kft_field *f);

/* A 32-bit word of the record: the location of a dynamic field. */
struct kft_expr *kft_expr_load(struct kft_expr_build *b, uint32_t offset, uint8_t size,
			       bool is_signed);

struct kft_expr *kft_expr_cast(struct kft_expr_build *b, const struct kft_expr *e,
			       const struct kft_ctype *type);
struct kft_expr *kft_expr_to(struct kft_expr_build *b, const struct kft_expr *e,
			     uint8_t size, bool is_signed);
struct kft_expr *kft_expr_unary(struct kft_expr_build *b, enum kft_expr_op op,
				const struct kft_expr *a);

/* op is one of ADD to OROR; a > b is given as b < a. */
struct kft_expr *kft_expr_binary(struct kft_expr_build *b, enum kft_expr_op op,
				 const struct kft_expr *l, const struct kft_expr *r);
struct kft_expr *kft_expr_cond(struct kft_expr_build *b, const struct kft_expr *cond,
			       const struct kft_expr *yes, const struct kft_expr *no);
struct kft_expr *kft_expr_elem(struct kft_expr_build *b, const struct kft_expr *bytes,
			       const struct kft_expr *index);

/* A text, bytes or number node with up to three operands, typed by the caller. */
struct kft_expr *kft_expr_node(struct kft_expr_build *b, enum kft_expr_op op,
			       enum kft_expr_class cls, const struct kft_expr *x,
			       const struct kft_expr *y, const struct kft_expr *z);

static inline bool kft_expr_is_const(const struct kft_expr *e)
{
	return e->op == KFT_EXPR_CONST && !e->unknown;
}

/* v as a value of the type: cut to size bytes, then extended to 64 bits. */
static inline uint64_t kft_expr_norm(uint64_t v, uint8_t size, bool is_signed)
{
	if (size >= 8)
		return v;
	unsigned int shift = 64 - 8 * size;

	return is_signed ? (uint64_t)((int64_t)(v << shift) >> shift)
			 : v << shift >> shift;
}

/*
 * One operation on values of a type (both operands have it; for shifts the left one).
 * Division by zero and shifts too far give 0.
 */
uint64_t kft_expr_apply(enum kft_expr_op op, uint64_t l, uint64_t r, uint8_t size,
			bool is_signed);

#endif
