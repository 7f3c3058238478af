// SPDX-License-Identifier: LGPL-2.1-or-later
/* Stores compressed chunks of a page. */
#include "view/chunks.h"

#include <errno.h>
#include <zlib.h>

#include "base/io.h"
#include "base/spool.h"

/* Higher levels take twice the time and save two percent. */
#define COMPRESSION 6

int kft_view_chunks_init(struct kft_view_chunks *c, struct kft_err *e)
{
	*c = (struct kft_view_chunks){.fd = -1};
	return kft_spool_create(&c->fd, e);
}

void kft_view_chunks_finish(struct kft_view_chunks *c)
{
	kft_closep(&c->fd);
	kft_vec_finish(&c->list);
}

int kft_view_deflate(const struct kft_strbuf *raw, struct kft_strbuf *ret)
{
	z_stream z = {};

	if (raw->failed || deflateInit2(&z, COMPRESSION, Z_DEFLATED, -MAX_WBITS,
					MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	size_t bound = deflateBound(&z, raw->len);
	int r = Z_MEM_ERROR;

	if (kft_strbuf_reserve(ret, bound)) {
		z.next_in = (uint8_t *)raw->buf;
		z.avail_in = raw->len;
		z.next_out = (uint8_t *)ret->buf + ret->len;
		z.avail_out = bound;
		r = deflate(&z, Z_FINISH);
		ret->len += z.total_out;
	}
	(void)deflateEnd(&z);
	return r == Z_STREAM_END ? 0 : -ENOMEM;
}

int kft_view_chunks_add(struct kft_view_chunks *c, const struct kft_view_chunk *about,
			const struct kft_strbuf *raw)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf packed = {};
	struct kft_view_chunk chunk = *about;
	int r = kft_view_deflate(raw, &packed);

	if (!r)
		r = kft_pwrite_all(c->fd, packed.buf, packed.len, c->bytes);
	if (r < 0)
		return r;
	chunk.offset = c->bytes;
	chunk.bytes = packed.len;
	c->bytes += packed.len;
	return kft_vec_push(&c->list, chunk) ? 0 : -ENOMEM;
}

int kft_view_chunks_read(const struct kft_view_chunks *c, size_t i,
			 struct kft_strbuf *ret)
{
	const struct kft_view_chunk *chunk = &c->list.data[i];

	if (!kft_strbuf_reserve(ret, chunk->bytes))
		return -ENOMEM;
	int r = kft_pread_all(c->fd, ret->buf + ret->len, chunk->bytes, chunk->offset);

	if (!r)
		ret->len += chunk->bytes;
	return r;
}
