/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "decode/printfmt/expr.h"

/*
 * One "%..." of a format, with the rules of the kernel's lib/vsprintf.c, which differ a
 * little from C's: "%#x" of 0 is "0x0", and letters and digits after %p belong to it.
 */
enum kft_conv {
	KFT_CONV_SIGNED, /* d i */
	KFT_CONV_UNSIGNED, /* u */
	KFT_CONV_OCTAL,
	KFT_CONV_HEX,
	KFT_CONV_CHAR,
	KFT_CONV_STRING,
	KFT_CONV_POINTER,
};

#define KFT_WIDTH_MAX	4096 /* larger widths and precisions are cut to this */
#define KFT_SUFFIX_SIZE 8

struct kft_directive {
	uint8_t conv; /* enum kft_conv */
	uint8_t size; /* bytes of a number: 1, 2, 4, 8 */
	bool left;
	bool plus;
	bool space;
	bool alt; /* the flag '#' */
	bool zero;
	bool upper;
	bool star_width; /* the width is an argument: '*' */
	bool star_precision;
	int width; /* 0: not given */
	int precision; /* -1: not given */
	char suffix[KFT_SUFFIX_SIZE]; /* letters after %p: "", "S", "I4", "ISpc", "hD" */
	const struct kft_expr *width_arg;
	const struct kft_expr *precision_arg;
	const struct kft_expr *arg;
};

/*
 * Parses the directive at p, which points at its '%'. Returns its length in bytes, 0
 * when the kernel does not know it.
 */
size_t kft_directive_parse(const char *p, const char *end, uint32_t long_size,
			   struct kft_directive *ret);

/* Whether the directive has no flags, width or precision. */
bool kft_directive_is_plain(const struct kft_directive *d);

/* Set the width or precision from the argument of a '*'. */
void kft_directive_set_width(struct kft_directive *d, int width);
void kft_directive_set_precision(struct kft_directive *d, int precision);

/* Prints a number, cut to the directive's size, or a character. */
void kft_directive_add_number(const struct kft_directive *d, uint64_t v,
			      struct kft_strbuf *sb);
void kft_directive_add_char(const struct kft_directive *d, uint64_t v,
			    struct kft_strbuf *sb);

/* Pads the text appended since start to the directive's width. */
void kft_directive_pad(const struct kft_directive *d, struct kft_strbuf *sb,
		       size_t start);
