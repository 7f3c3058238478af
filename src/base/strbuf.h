/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdarg.h>
#include <string.h>

#include "base/macro.h"

/*
 * A growing string. `struct kft_strbuf sb = {};` is an empty one; finish() frees it.
 * buf is NULL, or NUL terminated after kft_strbuf_cstr(); the append functions for the
 * hot path do not terminate it.
 *
 * A failed allocation is sticky: later appends do nothing and kft_strbuf_ok() returns
 * false, so that a long series of appends needs only one check at its end.
 */
struct kft_strbuf {
	char *buf; /* owned */
	size_t len;
	size_t cap;
	bool failed;
};

void kft_strbuf_finish(struct kft_strbuf *sb);

static inline void kft_strbuf_clear(struct kft_strbuf *sb)
{
	sb->len = 0;
}

static inline bool kft_strbuf_ok(const struct kft_strbuf *sb)
{
	return !sb->failed;
}

/* Makes room for n more bytes and a NUL; false when memory runs out. */
bool kft_strbuf_grow(struct kft_strbuf *sb, size_t n);

static inline bool kft_strbuf_reserve(struct kft_strbuf *sb, size_t n)
{
	return likely(sb->cap - sb->len > n) ? true : kft_strbuf_grow(sb, n);
}

/* data may be NULL if len is 0. */
static inline void kft_strbuf_add(struct kft_strbuf *sb, const void *data, size_t len)
{
	if (!len || !kft_strbuf_reserve(sb, len))
		return;
	memcpy(sb->buf + sb->len, data, len);
	sb->len += len;
}

static inline void kft_strbuf_addc(struct kft_strbuf *sb, char c)
{
	if (!kft_strbuf_reserve(sb, 1))
		return;
	sb->buf[sb->len++] = c;
}

static inline void kft_strbuf_adds(struct kft_strbuf *sb, const char *s)
{
	kft_strbuf_add(sb, s, strlen(s));
}

void kft_strbuf_fill(struct kft_strbuf *sb, char c, size_t n);

/* Pads the text appended since start (a former len) with blanks to width bytes. */
void kft_strbuf_pad(struct kft_strbuf *sb, size_t start, size_t width, bool right);

__printf_fmt(2, 3) void kft_strbuf_addf(struct kft_strbuf *sb, const char *fmt, ...);
void kft_strbuf_vaddf(struct kft_strbuf *sb, const char *fmt, va_list ap);

/*
 * Decimal and lower-case hexadecimal without printf, zero padded to
 * width digits at least.
 */
void kft_strbuf_addu(struct kft_strbuf *sb, uint64_t v, unsigned int width);
void kft_strbuf_addi(struct kft_strbuf *sb, int64_t v);
void kft_strbuf_addx(struct kft_strbuf *sb, uint64_t v, unsigned int width);

/*
 * Appends text from a trace or the kernel, made safe for a terminal: control characters,
 * DEL, C1 controls and invalid UTF-8 become \n, \t, \xHH. Stops at len, not at a NUL.
 */
void kft_strbuf_add_escaped(struct kft_strbuf *sb, const char *s, size_t len);

/* Appends text as the inside of a JSON string (without the quotes); UTF-8 is kept. */
void kft_strbuf_add_json(struct kft_strbuf *sb, const char *s, size_t len);

/* The text with a NUL, borrowed until the next change; "" when memory ran out. */
const char *kft_strbuf_cstr(struct kft_strbuf *sb);

/* Returns the heap string, owned by the caller from now on; NULL when memory ran out. */
char *kft_strbuf_detach(struct kft_strbuf *sb);
