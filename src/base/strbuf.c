// SPDX-License-Identifier: LGPL-2.1-or-later
/* A growing string. */
#include "base/strbuf.h"

#include <stdio.h>

#include "base/utf8.h"

void kft_strbuf_finish(struct kft_strbuf *sb)
{
	free(sb->buf);
	*sb = (struct kft_strbuf){};
}

bool kft_strbuf_grow(struct kft_strbuf *sb, size_t n)
{
	size_t need;

	if (sb->failed || kft_add(sb->len, n, &need) || kft_add(need, (size_t)1, &need))
		goto fail;
	if (need <= sb->cap)
		return true;
	size_t cap = sb->cap ? sb->cap : 64;
	while (cap < need)
		if (kft_mul(cap, (size_t)2, &cap))
			goto fail;
	char *buf = realloc(sb->buf, cap);
	if (!buf)
		goto fail;
	sb->buf = buf;
	sb->cap = cap;
	return true;
fail:
	sb->failed = true;
	return false;
}

void kft_strbuf_fill(struct kft_strbuf *sb, char c, size_t n)
{
	if (!kft_strbuf_reserve(sb, n))
		return;
	memset(sb->buf + sb->len, c, n);
	sb->len += n;
}

void kft_strbuf_pad(struct kft_strbuf *sb, size_t start, size_t width, bool right)
{
	size_t len = sb->len - start;

	if (len >= width)
		return;
	kft_strbuf_fill(sb, ' ', width - len);
	if (!right || sb->failed)
		return;
	memmove(sb->buf + start + width - len, sb->buf + start, len);
	memset(sb->buf + start, ' ', width - len);
}

void kft_strbuf_vaddf(struct kft_strbuf *sb, const char *fmt, va_list ap)
{
	va_list again;

	if (!kft_strbuf_reserve(sb, 0))
		return;
	va_copy(again, ap);
	int n = vsnprintf(sb->buf + sb->len, sb->cap - sb->len, fmt, ap);
	if (n > 0 && (size_t)n >= sb->cap - sb->len) {
		if (kft_strbuf_reserve(sb, n))
			n = vsnprintf(sb->buf + sb->len, sb->cap - sb->len, fmt, again);
		else
			n = 0;
	}
	va_end(again);
	if (n > 0)
		sb->len += n;
}

void kft_strbuf_addf(struct kft_strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	kft_strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
}

void kft_strbuf_addu(struct kft_strbuf *sb, uint64_t v, unsigned int width)
{
	char tmp[64];
	char *end = tmp + sizeof(tmp);
	char *p = end;

	if (width > sizeof(tmp))
		width = sizeof(tmp);
	do {
		*--p = '0' + v % 10;
		v /= 10;
	} while (v);
	while ((size_t)(end - p) < width)
		*--p = '0';
	kft_strbuf_add(sb, p, end - p);
}

void kft_strbuf_addi(struct kft_strbuf *sb, int64_t v)
{
	if (v < 0)
		kft_strbuf_addc(sb, '-');
	kft_strbuf_addu(sb, v < 0 ? -(uint64_t)v : (uint64_t)v, 1);
}

void kft_strbuf_addx(struct kft_strbuf *sb, uint64_t v, unsigned int width)
{
	char tmp[64];
	char *end = tmp + sizeof(tmp);
	char *p = end;

	if (width > sizeof(tmp))
		width = sizeof(tmp);
	do {
		*--p = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	while ((size_t)(end - p) < width)
		*--p = '0';
	kft_strbuf_add(sb, p, end - p);
}

static void add_hex_byte(struct kft_strbuf *sb, unsigned char c)
{
	kft_strbuf_add(sb, "\\x", 2);
	kft_strbuf_addx(sb, c, 2);
}

static void add_escaped_byte(struct kft_strbuf *sb, unsigned char c)
{
	switch (c) {
	case '\n':
		kft_strbuf_add(sb, "\\n", 2);
		break;
	case '\t':
		kft_strbuf_add(sb, "\\t", 2);
		break;
	case '\r':
		kft_strbuf_add(sb, "\\r", 2);
		break;
	default:
		add_hex_byte(sb, c);
	}
}

void kft_strbuf_add_escaped(struct kft_strbuf *sb, const char *s, size_t len)
{
	size_t i = 0;

	while (i < len) {
		size_t run = i;

		while (run < len && (unsigned char)s[run] >= 0x20 &&
		       (unsigned char)s[run] < 0x7f)
			run++;
		if (run > i) {
			kft_strbuf_add(sb, s + i, run - i);
			i = run;
			continue;
		}
		size_t n = kft_utf8_printable(s + i, len - i);
		if (n) {
			kft_strbuf_add(sb, s + i, n);
			i += n;
		} else {
			add_escaped_byte(sb, s[i++]);
		}
	}
}

void kft_strbuf_add_json(struct kft_strbuf *sb, const char *s, size_t len)
{
	size_t i = 0;

	while (i < len) {
		unsigned char c = s[i];
		size_t n = kft_utf8_printable(s + i, len - i);

		if (c == '"' || c == '\\') {
			kft_strbuf_addc(sb, '\\');
			kft_strbuf_addc(sb, c);
			i++;
		} else if (n) {
			kft_strbuf_add(sb, s + i, n);
			i += n;
		} else {
			/* A byte that is not valid UTF-8 is shown as Latin-1. */
			kft_strbuf_add(sb, "\\u", 2);
			kft_strbuf_addx(sb, c, 4);
			i++;
		}
	}
}

const char *kft_strbuf_cstr(struct kft_strbuf *sb)
{
	if (!kft_strbuf_reserve(sb, 0))
		return "";
	sb->buf[sb->len] = '\0';
	return sb->buf;
}

char *kft_strbuf_detach(struct kft_strbuf *sb)
{
	if (!kft_strbuf_reserve(sb, 0)) {
		kft_strbuf_finish(sb);
		return NULL;
	}
	sb->buf[sb->len] = '\0';
	char *s = sb->buf;
	*sb = (struct kft_strbuf){};
	return s;
}
