/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_DIRECTIVE_H
#define KFT_DECODE_PRINTFMT_DIRECTIVE_H

#include "base/strbuf.h"
#include "decode/printfmt/expr.h"

/*
 * One "%..." of a format, as lib/vsprintf.c of the kernel understands it (which is not
 * quite what C says: "%#x" of 0 is "0x0", letters and digits behind %p belong to it).
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

#define KFT_WIDTH_MAX	4096 /* wider or more precise is cut to this */
#define KFT_SUFFIX_SIZE 8

struct kft_directive {
	uint8_t conv; /* enum kft_conv */
	uint8_t size; /* bytes of a number: 1, 2, 4, 8 */
	bool left;
	bool plus;
	bool space;
	bool alt; /* # */
	bool zero;
	bool upper;
	bool star_width; /* from an argument */
	bool star_precision;
	int width; /* 0: none */
	int precision; /* -1: none */
	char suffix[KFT_SUFFIX_SIZE]; /* of %p: "", "S", "I4", "ISpc", "hD" */
	const struct kft_expr *width_arg;
	const struct kft_expr *precision_arg;
	const struct kft_expr *arg;
};

/*
 * Reads the directive at p, which points at its '%'. Returns how many bytes it has, 0
 * when it is none that the kernel knows.
 */
size_t kft_directive_parse(const char *p, const char *end, uint32_t long_size,
			   struct kft_directive *ret);

/* Plain conversion: no flags, width or precision. */
bool kft_directive_is_plain(const struct kft_directive *d);

/* A copy whose width and precision are these, as '*' gave them. */
void kft_directive_set_width(struct kft_directive *d, int width);
void kft_directive_set_precision(struct kft_directive *d, int precision);

/* Prints a number (cut to the directive's size), a character. */
void kft_directive_add_number(const struct kft_directive *d, uint64_t v,
			      struct kft_strbuf *sb);
void kft_directive_add_char(const struct kft_directive *d, uint64_t v,
			    struct kft_strbuf *sb);

/* Fills up what was added since start to the directive's width. */
void kft_directive_pad(const struct kft_directive *d, struct kft_strbuf *sb,
		       size_t start);

#endif
