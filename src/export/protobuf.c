// SPDX-License-Identifier: LGPL-2.1-or-later
/* Encodes Protocol Buffers messages. */
#include "export/protobuf.h"

#include "base/utf8.h"

/*
 * The length of the part that needs no escaping; newlines and tabs
 * are allowed, as in marks.
 */
static size_t plain_length(const char *s, size_t len)
{
	size_t at = 0;

	while (at < len) {
		size_t n = s[at] == '\n' || s[at] == '\t'
				   ? 1
				   : kft_utf8_printable(s + at, len - at);

		if (!n)
			break;
		at += n;
	}
	return at;
}

void kft_pb_text(struct kft_strbuf *sb, uint32_t field, const char *text, size_t len)
{
	size_t place = kft_pb_begin(sb, field);
	size_t plain = plain_length(text, len);

	kft_strbuf_add(sb, text, plain);
	kft_strbuf_add_escaped(sb, text + plain, len - plain);
	kft_pb_end(sb, place);
}

/* Reserves one byte for the length, which is enough for most messages. */
size_t kft_pb_begin(struct kft_strbuf *sb, uint32_t field)
{
	kft_pb_tag(sb, field, KFT_PB_BYTES);
	kft_strbuf_addc(sb, 0);
	return sb->len;
}

void kft_pb_end(struct kft_strbuf *sb, size_t place)
{
	size_t len = sb->len - place;
	size_t more = 0;

	if (!kft_strbuf_ok(sb))
		return;
	for (size_t left = len >> 7; left; left >>= 7)
		more++;
	if (more) {
		if (!kft_strbuf_reserve(sb, more))
			return;
		memmove(sb->buf + place + more, sb->buf + place, len);
	}
	for (size_t i = 0; i < more; i++, len >>= 7)
		sb->buf[place - 1 + i] = (char)(len | 0x80);
	sb->buf[place - 1 + more] = (char)len;
	sb->len += more;
}
