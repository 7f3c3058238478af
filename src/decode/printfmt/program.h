/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "decode/printfmt/directive.h"
#include "decode/printfmt/env.h"

/*
 * A compiled `print fmt`: a list of operations, each with constant text and a value to
 * print after it. Frequent values (a field in decimal or hexadecimal, a string, a symbol)
 * have their own operation; all others go through their directive.
 */
enum kft_print_kind {
	KFT_PRINT_END, /* only text; the last operation */
	KFT_PRINT_S32,
	KFT_PRINT_S64,
	KFT_PRINT_U8,
	KFT_PRINT_U16,
	KFT_PRINT_U32,
	KFT_PRINT_U64,
	KFT_PRINT_X32, /* at least `digits` hexadecimal digits */
	KFT_PRINT_X64,
	KFT_PRINT_STRING, /* a field's string */
	KFT_PRINT_TEXT, /* %s of any other expression, unpadded */
	KFT_PRINT_SYMBOL, /* name of the function at the field's address */
	KFT_PRINT_SYMBOL_OFFSET, /* the name, and the offset of the address */
	KFT_PRINT_ADDRESS, /* "0x" and the address, or "(nil)" */
	KFT_PRINT_SYSCALL, /* number of a system call in `digits` bytes, and its name */
	KFT_PRINT_DIRECTIVE,
};

struct kft_print_op {
	const char *text; /* readable for KFT_EXPR_TEXT_SLACK bytes past its end */
	uint32_t text_len;
	uint32_t offset; /* offset of the field */
	uint8_t kind; /* enum kft_print_kind */
	uint8_t digits;
	union {
		const struct kft_directive *directive;
		const struct kft_field *field; /* STRING */
		const struct kft_expr *expr; /* TEXT */
		const struct kft_syscalls *syscalls; /* SYSCALL */
	};
};

struct kft_print_program {
	struct kft_print_op *ops; /* the last one is KFT_PRINT_END */
};

/* The record that a program is evaluated for. */
struct kft_print_ctx {
	/* followed by zeros up to the end of the class' last field */
	const uint8_t *data;
	uint32_t size; /* size of the record itself */
	bool swap;
	uint8_t long_size;
	struct kft_print_env *env;
};

/*
 * Compiles a format with its arguments, all in the arena. -EINVAL with *ret_why (a
 * constant or in the arena), -ENOMEM.
 */
int kft_print_compile(struct kft_arena *arena, uint32_t long_size, const char *format,
		      size_t len, const struct kft_expr *const *args, size_t n_args,
		      const struct kft_print_program **ret,
		      const char **ret_why) __must_check;

/* Appends the text of a record; only memory can run out (see kft_strbuf_ok()). */
void kft_print_run(const struct kft_print_program *p, const struct kft_print_ctx *c,
		   struct kft_strbuf *sb);

/* Appends one directive; its expressions are its arguments. */
void kft_print_directive(const struct kft_directive *d, const struct kft_print_ctx *c,
			 struct kft_strbuf *sb);
