// SPDX-License-Identifier: LGPL-2.1-or-later
/* Extracts the text of CTF metadata from its packets. */
#include "file/ctf/text.h"

#include <errno.h>

#include "base/cursor.h"
#include "base/err.h"

#define SIGNATURE "/* CTF 1.8"

/* The UUID, and all of struct metadata_packet_header (7.1). */
#define UUID_BYTES   16
#define HEADER_BYTES 37

static bool is_packets(const uint8_t *data, size_t len, bool *ret_swap)
{
	if (len < 4)
		return false;
	*ret_swap = kft_load_u32(data, false) != KFT_CTF_METADATA_MAGIC;
	return kft_load_u32(data, *ret_swap) == KFT_CTF_METADATA_MAGIC;
}

bool kft_ctf_is_json(const void *text, size_t len)
{
	return len && *(const uint8_t *)text == KFT_CTF_SEPARATOR;
}

bool kft_ctf_is_metadata(const void *head, size_t len)
{
	bool swap;

	return is_packets(head, len, &swap) || kft_ctf_is_json(head, len) ||
	       (len >= strlen(SIGNATURE) &&
		memcmp(head, SIGNATURE, strlen(SIGNATURE)) == 0);
}

struct packet {
	uint32_t content_bytes; /* including the header */
	uint32_t packet_bytes;
	uint8_t scheme[3]; /* compression, encryption, checksum: 0 for none */
	uint8_t major;
};

static bool read_header(struct kft_cursor *c, struct packet *ret)
{
	uint32_t magic;
	uint32_t checksum;
	uint8_t minor;

	if (!kft_cursor_u32(c, &magic) || magic != KFT_CTF_METADATA_MAGIC ||
	    !kft_cursor_skip(c, UUID_BYTES) || !kft_cursor_u32(c, &checksum) ||
	    !kft_cursor_u32(c, &ret->content_bytes) ||
	    !kft_cursor_u32(c, &ret->packet_bytes) ||
	    !kft_cursor_u8(c, &ret->scheme[0]) || !kft_cursor_u8(c, &ret->scheme[1]) ||
	    !kft_cursor_u8(c, &ret->scheme[2]) || !kft_cursor_u8(c, &ret->major) ||
	    !kft_cursor_u8(c, &minor))
		return false;
	/* The header has sizes in bits. */
	ret->content_bytes /= 8;
	ret->packet_bytes /= 8;
	return ret->content_bytes >= HEADER_BYTES &&
	       ret->packet_bytes >= ret->content_bytes;
}

static int check(const struct packet *p, struct kft_err *e)
{
	if (p->major != 1 && p->major != 2)
		return kft_err_set(e, -ENOTSUP, "metadata of CTF %u cannot be read",
				   p->major);
	if (p->scheme[0] || p->scheme[1])
		return kft_err_set(e, -ENOTSUP,
				   "compressed or encrypted metadata cannot be read");
	return 0;
}

static int join_packets(struct kft_cursor *c, struct kft_strbuf *ret, bool *ret_cut,
			struct kft_err *e)
{
	while (kft_cursor_left(c)) {
		struct kft_cursor packet = *c;
		const uint8_t *text;
		struct packet p;

		*ret_cut = !read_header(&packet, &p);
		if (*ret_cut)
			return 0;
		int r = check(&p, e);
		if (r < 0)
			return r;
		*ret_cut = !kft_cursor_bytes(&packet, p.content_bytes - HEADER_BYTES,
					     &text);
		if (*ret_cut)
			return 0;
		kft_strbuf_add(ret, text, p.content_bytes - HEADER_BYTES);
		if (!kft_cursor_skip(c, p.packet_bytes))
			return 0;
	}
	return 0;
}

int kft_ctf_text(const uint8_t *data, size_t len, struct kft_strbuf *ret, bool *ret_cut,
		 struct kft_err *e)
{
	bool swap;
	int r = 0;

	*ret_cut = false;
	if (!len)
		return kft_err_set(e, -ENODATA, "the metadata is empty");
	if (is_packets(data, len, &swap)) {
		struct kft_cursor c = kft_cursor_init(data, len, swap);

		r = join_packets(&c, ret, ret_cut, e);
	} else {
		kft_strbuf_add(ret, data, len);
	}
	if (r == 0 && !kft_strbuf_ok(ret))
		r = kft_err_memory(e);
	return r;
}
