// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses and applies one "%..." of a format. */
#include "decode/printfmt/directive.h"

#include <ctype.h>

static const char *parse_flags(const char *p, const char *end, struct kft_directive *d)
{
	for (; p < end; p++) {
		if (*p == '-')
			d->left = true;
		else if (*p == '+')
			d->plus = true;
		else if (*p == ' ')
			d->space = true;
		else if (*p == '#')
			d->alt = true;
		else if (*p == '0')
			d->zero = true;
		else
			break;
	}
	return p;
}

static const char *parse_count(const char *p, const char *end, int *ret, bool *ret_star)
{
	int v = 0;

	if (p < end && *p == '*') {
		*ret_star = true;
		return p + 1;
	}
	for (; p < end && isdigit((unsigned char)*p); p++)
		v = v < KFT_WIDTH_MAX ? v * 10 + (*p - '0') : KFT_WIDTH_MAX;
	*ret = KFT_MIN(v, KFT_WIDTH_MAX);
	return p;
}

static const char *parse_size(const char *p, const char *end, uint32_t long_size,
			      uint8_t *ret)
{
	unsigned int h = 0;
	unsigned int l = 0;

	for (; p < end; p++) {
		if (*p == 'h')
			h++;
		else if (*p == 'l')
			l++;
		else if (*p == 'L' || *p == 'q')
			l = 2;
		else if (*p == 'z' || *p == 'Z' || *p == 't' || *p == 'j')
			l = *p == 'j' ? 2 : 1;
		else
			break;
	}
	*ret = h > 1 ? 1 : h ? 2 : l > 1 ? 8 : l ? long_size : 4;
	return p;
}

/* Parses the letters after %p: all are consumed, the first few are kept. */
static const char *parse_suffix(const char *p, const char *end, struct kft_directive *d)
{
	size_t n = 0;

	for (; p < end && isalnum((unsigned char)*p); p++)
		if (n < sizeof(d->suffix) - 1)
			d->suffix[n++] = *p;
	return p;
}

static bool set_conv(char c, struct kft_directive *d)
{
	switch (c) {
	case 'd':
	case 'i':
		d->conv = KFT_CONV_SIGNED;
		return true;
	case 'u':
		d->conv = KFT_CONV_UNSIGNED;
		return true;
	case 'o':
		d->conv = KFT_CONV_OCTAL;
		return true;
	case 'X':
		d->upper = true;
		d->conv = KFT_CONV_HEX;
		return true;
	case 'x':
		d->conv = KFT_CONV_HEX;
		return true;
	case 'c':
		d->conv = KFT_CONV_CHAR;
		return true;
	case 's':
		d->conv = KFT_CONV_STRING;
		return true;
	case 'p':
		d->conv = KFT_CONV_POINTER;
		return true;
	default:
		return false;
	}
}

size_t kft_directive_parse(const char *p, const char *end, uint32_t long_size,
			   struct kft_directive *ret)
{
	struct kft_directive d = {.precision = -1};
	const char *start = p;

	p = parse_flags(p + 1, end, &d);
	p = parse_count(p, end, &d.width, &d.star_width);
	if (p < end && *p == '.')
		p = parse_count(p + 1, end, &d.precision, &d.star_precision);
	p = parse_size(p, end, long_size, &d.size);
	if (p == end || !set_conv(*p++, &d))
		return 0;
	if (d.conv == KFT_CONV_POINTER) {
		d.size = long_size;
		p = parse_suffix(p, end, &d);
	}
	*ret = d;
	return p - start;
}

bool kft_directive_is_plain(const struct kft_directive *d)
{
	return !d->left && !d->plus && !d->space && !d->alt && !d->zero &&
	       d->width == 0 && d->precision < 0 && !d->star_width && !d->star_precision;
}

void kft_directive_set_width(struct kft_directive *d, int width)
{
	d->star_width = false;
	if (width < 0) {
		d->left = true;
		width = width < -KFT_WIDTH_MAX ? KFT_WIDTH_MAX : -width;
	}
	d->width = KFT_MIN(width, KFT_WIDTH_MAX);
}

void kft_directive_set_precision(struct kft_directive *d, int precision)
{
	d->star_precision = false;
	/* C ignores a negative precision. */
	d->precision = precision < 0 ? -1 : KFT_MIN(precision, KFT_WIDTH_MAX);
}

/* Writes digits backwards from end; returns the first one. */
static char *digits(char *end, uint64_t v, unsigned int base, bool upper)
{
	const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	do {
		*--end = set[v % base];
		v /= base;
	} while (v);
	return end;
}

void kft_directive_add_number(const struct kft_directive *d, uint64_t v,
			      struct kft_strbuf *sb)
{
	char tmp[32];
	char *end = tmp + sizeof(tmp);
	char prefix[2];
	size_t n_prefix = 0;
	bool is_signed = d->conv == KFT_CONV_SIGNED;
	unsigned int base = d->conv == KFT_CONV_HEX	? 16
			    : d->conv == KFT_CONV_OCTAL ? 8
							: 10;

	v = kft_expr_norm(v, d->size, is_signed);
	if (is_signed && (int64_t)v < 0) {
		prefix[n_prefix++] = '-';
		v = -v;
	} else if (is_signed && (d->plus || d->space)) {
		prefix[n_prefix++] = d->plus ? '+' : ' ';
	}
	if (d->alt && (base == 16 || (base == 8 && v))) {
		prefix[n_prefix++] = '0';
		if (base == 16)
			prefix[n_prefix++] = d->upper ? 'X' : 'x';
	}
	char *p = digits(end, v, base, d->upper);
	size_t n = end - p;
	size_t zeros = d->precision > (int)n ? d->precision - n : 0;
	size_t used = n_prefix + zeros + n;
	size_t pad = (size_t)d->width > used ? d->width - used : 0;

	if (!d->left && !d->zero)
		kft_strbuf_fill(sb, ' ', pad);
	kft_strbuf_add(sb, prefix, n_prefix);
	kft_strbuf_fill(sb, '0', zeros + (!d->left && d->zero ? pad : 0));
	kft_strbuf_add(sb, p, n);
	if (d->left)
		kft_strbuf_fill(sb, ' ', pad);
}

void kft_directive_add_char(const struct kft_directive *d, uint64_t v,
			    struct kft_strbuf *sb)
{
	size_t start = sb->len;
	char c = v;

	if (c)
		kft_strbuf_add_escaped(sb, &c, 1);
	kft_directive_pad(d, sb, start);
}

void kft_directive_pad(const struct kft_directive *d, struct kft_strbuf *sb, size_t start)
{
	size_t n = sb->len - start;

	if ((size_t)d->width <= n)
		return;
	size_t pad = d->width - n;
	kft_strbuf_fill(sb, ' ', pad);
	if (d->left || !kft_strbuf_ok(sb))
		return;
	memmove(sb->buf + start + pad, sb->buf + start, n);
	memset(sb->buf + start, ' ', pad);
}
