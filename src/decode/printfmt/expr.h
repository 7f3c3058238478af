/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "decode/types/ctype.h"
#include "model/class.h"

/*
 * The arguments of a `print fmt` as typed trees. The constructors below apply C's
 * rules (promotion, usual conversions, pointer arithmetic in elements) and fold
 * constants; eval.h evaluates the trees.
 */
enum kft_expr_op {
	/* numbers */
	KFT_EXPR_CONST,
	KFT_EXPR_LOAD, /* integer at a fixed offset in the record */
	KFT_EXPR_LOAD_AND, /* LOAD & mask, the most frequent pair */
	KFT_EXPR_ELEM, /* a[b] */
	KFT_EXPR_LEN, /* length of a dynamic field in bytes */
	KFT_EXPR_CAST,
	KFT_EXPR_NEG,
	KFT_EXPR_INVERT,
	KFT_EXPR_NOT,
	KFT_EXPR_SWAP, /* a with its bytes swapped */
	KFT_EXPR_FFS, /* lowest set bit of a, counted from 0 */
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
	KFT_EXPR_RECORD, /* the whole record */
	KFT_EXPR_SKIP, /* a without its first b elements */
	/* text */
	KFT_EXPR_TEXT,
	KFT_EXPR_PICK, /* the a'th of several texts */
	KFT_EXPR_FLAGS, /* names of the bits of a */
	KFT_EXPR_SYMBOLIC, /* name of the value a */
	KFT_EXPR_HEX, /* b bytes of a: "01 02" */
	KFT_EXPR_HEX_STR, /* b bytes of a: "0102" */
	KFT_EXPR_ARRAY, /* b elements of c bytes in a: "{0x1,0x2}" */
	KFT_EXPR_HEX_DUMP, /* b bytes of a, as lines of a dump */
	KFT_EXPR_BITMASK, /* bit mask a: "00000000,0000000f" */
	KFT_EXPR_CPUMASK, /* CPU mask a: "0-3" */
	KFT_EXPR_STACK, /* stack trace a: one line per address */
	KFT_EXPR_FORMAT, /* a nested format with its own arguments */
	KFT_EXPR_CALL, /* a kernel function of helper.h */
};

enum kft_expr_class {
	KFT_EXPR_IS_NUMBER,
	KFT_EXPR_IS_BYTES,
	KFT_EXPR_IS_TEXT,
};

struct kft_name_table; /* decode/printfmt/names.h */
struct kft_print_program; /* decode/printfmt/program.h */
struct kft_helper; /* decode/printfmt/helper.h */

/* A text of KFT_EXPR_TEXT or KFT_EXPR_PICK. */
struct kft_text {
	const char *data; /* already escaped for a terminal */
	size_t len;
};

/* Bytes that are readable past the end of kft_expr_literal(). */
#define KFT_EXPR_TEXT_SLACK 32

/* Makes constant text: escaped, with slack. NULL when memory runs out. */
const char *kft_expr_literal(struct kft_arena *arena, const char *s, size_t len,
			     size_t *ret_len);

struct kft_expr {
	uint8_t op; /* enum kft_expr_op */
	uint8_t cls; /* enum kft_expr_class */
	/*
	 * The type of a number: 1, 2, 4 or 8 bytes. Of bytes: the type of an element;
	 * size 0 when it is not known (a struct).
	 */
	uint8_t size;
	bool is_signed;
	bool is_pointer; /* the number is an address in the kernel */
	bool is_char; /* the bytes are a string */
	bool unknown; /* uses an unknown name or call, so it cannot be printed */
	/*
	 * LOAD and ELEM: the type in the record; CAST: the type that it truncates to. The
	 * node's own type may have become wider if that does not change the value.
	 */
	uint8_t load_size;
	bool load_signed;
	uint16_t depth; /* depth of the tree */
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

/* Deeper trees are rejected, because evaluation is recursive. */
#define KFT_EXPR_DEPTH_MAX 200

/*
 * State of the constructors. A constructor that fails returns NULL and sets why to the
 * first reason; why stays NULL when memory ran out.
 */
struct kft_expr_build {
	struct kft_arena *arena;
	uint32_t long_size; /* 4 or 8 */
	const char *why;
};

/* Notes the reason and returns NULL. */
struct kft_expr *kft_expr_fail(struct kft_expr_build *b, const char *why);

struct kft_expr *kft_expr_new(struct kft_expr_build *b, enum kft_expr_op op,
			      enum kft_expr_class cls);
struct kft_expr *kft_expr_const(struct kft_expr_build *b, uint64_t v, uint8_t size,
				bool is_signed);
struct kft_expr *kft_expr_unknown(struct kft_expr_build *b);
struct kft_expr *kft_expr_text(struct kft_expr_build *b, const char *s, size_t len);

/* The value of REC->field: a number, or the bytes of an array. */
struct kft_expr *kft_expr_field(struct kft_expr_build *b, const struct kft_field *f);

/* The bytes of a field, also of a number: &REC->field, __get_str(field). */
struct kft_expr *kft_expr_bytes_of(struct kft_expr_build *b, const struct kft_field *f);

/* A load from a fixed offset, such as the 32-bit location of a dynamic field. */
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

/* A text, bytes or number node with up to three operands; the caller sets its type. */
struct kft_expr *kft_expr_node(struct kft_expr_build *b, enum kft_expr_op op,
			       enum kft_expr_class cls, const struct kft_expr *x,
			       const struct kft_expr *y, const struct kft_expr *z);

static inline bool kft_expr_is_const(const struct kft_expr *e)
{
	return e->op == KFT_EXPR_CONST && !e->unknown;
}

/* Truncates v to size bytes, then extends it to 64 bits. */
static inline uint64_t kft_expr_norm(uint64_t v, uint8_t size, bool is_signed)
{
	if (size >= 8)
		return v;
	unsigned int shift = 64 - 8 * size;

	return is_signed ? (uint64_t)((int64_t)(v << shift) >> shift)
			 : v << shift >> shift;
}

/*
 * Applies an operation to values of a type (both operands have it; for shifts, only the
 * left one). Division by zero and shifts beyond the width give 0.
 */
uint64_t kft_expr_apply(enum kft_expr_op op, uint64_t l, uint64_t r, uint8_t size,
			bool is_signed);
