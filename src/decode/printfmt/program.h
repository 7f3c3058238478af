/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_PROGRAM_H
#define KFT_DECODE_PRINTFMT_PROGRAM_H

#include "base/strbuf.h"
#include "decode/printfmt/directive.h"
#include "decode/printfmt/env.h"

/*
 * A compiled `print fmt`: a list of operations, each a piece of constant text and what
 * to print behind it. The frequent ones (a field in decimal or hexadecimal, a string, a
 * symbol) have an operation of their own; the rest goes through its directive.
 */
enum kft_print_kind {
	KFT_PRINT_END, /* text only, the last one */
	KFT_PRINT_S32,
	KFT_PRINT_S64,
	KFT_PRINT_U8,
	KFT_PRINT_U16,
	KFT_PRINT_U32,
	KFT_PRINT_U64,
	KFT_PRINT_X32, /* at least `digits` hexadecimal digits */
	KFT_PRINT_X64,
	KFT_PRINT_STRING, /* a field's string */
	KFT_PRINT_TEXT, /* %s of anything else, unpadded */
	KFT_PRINT_SYMBOL, /* name of the function at the address in the field */
	KFT_PRINT_SYMBOL_OFFSET, /* and how far into it the address is */
	KFT_PRINT_ADDRESS, /* "0x" and the address, "(nil)" */
	KFT_PRINT_SYSCALL, /* number of a system call in `digits` bytes, and its name */
	KFT_PRINT_DIRECTIVE,
};

struct kft_print_op {
	const char *text; /* readable for KFT_PRINT_TEXT_SLACK bytes past its end */
	uint32_t text_len;
	uint32_t offset; /* of the field */
	uint8_t kind; /* enum kft_print_kind */
	uint8_t digits;
	union {
		const struct kft_directive *directive;
		const struct kft_field *field; /* STRING */
		const struct kft_expr *expr; /* TEXT */
		const struct kft_syscalls *syscalls; /* SYSCALL */
	};
};

#define KFT_PRINT_TEXT_SLACK 32

struct kft_print_program {
	struct kft_print_op *ops; /* the last one is an END */
};

/* What evaluation works on: one record. */
struct kft_print_ctx {
	const uint8_t *data; /* zeros behind it up to the end of its class' last field */
	uint32_t size; /* of the record itself */
	bool swap;
	uint8_t long_size;
	struct kft_print_env *env;
};

/*
 * The format with its arguments. Everything lives in the arena. -EINVAL with *ret_why
 * (a constant or in the arena), -ENOMEM.
 */
int kft_print_compile(struct kft_arena *arena, uint32_t long_size, const char *format,
		      size_t len, const struct kft_expr *const *args, size_t n_args,
		      const struct kft_print_program **ret,
		      const char **ret_why) __must_check;

/* Text as constant text of a program: escaped, with slack. NULL when out of memory. */
const char *kft_print_literal(struct kft_arena *arena, const char *s, size_t len,
			      size_t *ret_len);

/* Appends; never fails but for memory (see kft_strbuf_ok()). */
void kft_print_run(const struct kft_print_program *p, const struct kft_print_ctx *c,
		   struct kft_strbuf *sb);

/* One directive, the arguments of which are given by its expressions. */
void kft_print_directive(const struct kft_directive *d, const struct kft_print_ctx *c,
			 struct kft_strbuf *sb);

#endif
