/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <string.h>

#include "base/macro.h"

#define KFT_HOST_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/*
 * Bounded reads of untrusted bytes. A cursor borrows [base, base + size) and moves
 * forward; a get that would run past the end returns false and moves nothing. `swap`
 * means that the bytes have the opposite byte order to this machine.
 */
struct kft_cursor {
	const uint8_t *base; /* borrowed */
	size_t size;
	size_t pos;
	bool swap;
};

static inline struct kft_cursor kft_cursor_init(const void *data, size_t size, bool swap)
{
	return (struct kft_cursor){.base = data, .size = size, .swap = swap};
}

static inline size_t kft_cursor_left(const struct kft_cursor *c)
{
	return c->size - c->pos;
}

/* Unaligned loads in the given byte order; the caller has checked the bounds. */
static inline uint16_t kft_load_u16(const void *p, bool swap)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t kft_load_u32(const void *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t kft_load_u64(const void *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

/* Borrows the next n bytes of the input. */
static inline __must_check bool kft_cursor_bytes(struct kft_cursor *c, size_t n,
						 const uint8_t **ret)
{
	if (n > c->size - c->pos)
		return false;
	*ret = c->base + c->pos;
	c->pos += n;
	return true;
}

static inline __must_check bool kft_cursor_skip(struct kft_cursor *c, size_t n)
{
	const uint8_t *unused;

	return kft_cursor_bytes(c, n, &unused);
}

/* Makes a cursor of the next n bytes. */
static inline __must_check bool kft_cursor_sub(struct kft_cursor *c, size_t n,
					       struct kft_cursor *ret)
{
	const uint8_t *p;

	if (!kft_cursor_bytes(c, n, &p))
		return false;
	*ret = kft_cursor_init(p, n, c->swap);
	return true;
}

static inline __must_check bool kft_cursor_u8(struct kft_cursor *c, uint8_t *ret)
{
	const uint8_t *p;

	if (!kft_cursor_bytes(c, 1, &p))
		return false;
	*ret = *p;
	return true;
}

static inline __must_check bool kft_cursor_u16(struct kft_cursor *c, uint16_t *ret)
{
	const uint8_t *p;

	if (!kft_cursor_bytes(c, sizeof(*ret), &p))
		return false;
	*ret = kft_load_u16(p, c->swap);
	return true;
}

static inline __must_check bool kft_cursor_u32(struct kft_cursor *c, uint32_t *ret)
{
	const uint8_t *p;

	if (!kft_cursor_bytes(c, sizeof(*ret), &p))
		return false;
	*ret = kft_load_u32(p, c->swap);
	return true;
}

static inline __must_check bool kft_cursor_u64(struct kft_cursor *c, uint64_t *ret)
{
	const uint8_t *p;

	if (!kft_cursor_bytes(c, sizeof(*ret), &p))
		return false;
	*ret = kft_load_u64(p, c->swap);
	return true;
}

/* Borrows a NUL-terminated string; fails when there is no NUL before the end. */
static inline __must_check bool kft_cursor_str(struct kft_cursor *c, const char **ret)
{
	const uint8_t *start = c->base + c->pos;
	const uint8_t *nul = c->size == c->pos ? NULL
					       : memchr(start, '\0', c->size - c->pos);

	if (!nul)
		return false;
	*ret = (const char *)start;
	c->pos += nul - start + 1;
	return true;
}
