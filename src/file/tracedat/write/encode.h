/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * Encodes numbers. `swap`: the file's byte order is not this machine's. Running out of
 * memory is the strbuf's sticky failure.
 */
static inline void kft_encode_u16(struct kft_strbuf *sb, uint16_t v, bool swap)
{
	v = swap ? __builtin_bswap16(v) : v;
	kft_strbuf_add(sb, &v, sizeof(v));
}

static inline void kft_encode_u32(struct kft_strbuf *sb, uint32_t v, bool swap)
{
	v = swap ? __builtin_bswap32(v) : v;
	kft_strbuf_add(sb, &v, sizeof(v));
}

static inline void kft_encode_u64(struct kft_strbuf *sb, uint64_t v, bool swap)
{
	v = swap ? __builtin_bswap64(v) : v;
	kft_strbuf_add(sb, &v, sizeof(v));
}

/* Appends the string including its NUL. */
static inline void kft_encode_str(struct kft_strbuf *sb, const char *s)
{
	kft_strbuf_add(sb, s, strlen(s) + 1);
}

static inline bool kft_host_is_big_endian(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}
