/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * Appends the wire format of Protocol Buffers to a buffer: numbers (varints), bytes, and
 * messages. The length of a message is filled in at its end.
 * https://protobuf.dev/programming-guides/encoding/
 */
enum { KFT_PB_VARINT = 0, KFT_PB_BYTES = 2 };

static inline void kft_pb_varint(struct kft_strbuf *sb, uint64_t v)
{
	char bytes[10];
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		bytes[n++] = (char)(v | 0x80);
	bytes[n++] = (char)v;
	kft_strbuf_add(sb, bytes, n);
}

static inline void kft_pb_tag(struct kft_strbuf *sb, uint32_t field, unsigned int type)
{
	kft_pb_varint(sb, (uint64_t)field << 3 | type);
}

/* For any integer type but sint: negative numbers are sign-extended to 64 bits. */
static inline void kft_pb_number(struct kft_strbuf *sb, uint32_t field, uint64_t v)
{
	kft_pb_tag(sb, field, KFT_PB_VARINT);
	kft_pb_varint(sb, v);
}

static inline void kft_pb_bytes(struct kft_strbuf *sb, uint32_t field, const void *data,
				size_t len)
{
	kft_pb_tag(sb, field, KFT_PB_BYTES);
	kft_pb_varint(sb, len);
	kft_strbuf_add(sb, data, len);
}

/*
 * Appends text as UTF-8, which readers require. From the first byte that is invalid or
 * could control a terminal, the text is escaped.
 */
void kft_pb_text(struct kft_strbuf *sb, uint32_t field, const char *text, size_t len);

/* Begins a message; returns its position for kft_pb_end(). Messages can be nested. */
size_t kft_pb_begin(struct kft_strbuf *sb, uint32_t field);
void kft_pb_end(struct kft_strbuf *sb, size_t place);
