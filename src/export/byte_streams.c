// SPDX-License-Identifier: LGPL-2.1-or-later
/* Stores many growing byte sequences in one temporary file. */
#include "export/byte_streams.h"

#include <errno.h>
#include <string.h>

#include "base/io.h"
#include "base/spool.h"

struct block {
	char data[KFT_BYTE_STREAM_BLOCK];
	uint64_t next; /* number of the strand's next block */
};

void kft_byte_streams_finish(struct kft_byte_streams *s)
{
	kft_closep(&s->fd);
	kft_vec_for_each(&s->list, strand)
		kft_strbuf_finish(&strand->tail);
	kft_vec_finish(&s->list);
}

static uint64_t place_of(uint64_t block)
{
	return (block - 1) * sizeof(struct block);
}

/*
 * Writes a block. It contains the number of its successor, which is
 * therefore allocated now.
 */
static int write_block(struct kft_byte_streams *s, struct kft_byte_stream *strand)
{
	struct block b;

	if (!strand->next)
		strand->first = strand->next = ++s->blocks;
	b.next = ++s->blocks;
	memcpy(b.data, strand->tail.buf, sizeof(b.data));
	int r = kft_pwrite_all(s->fd, &b, sizeof(b), place_of(strand->next));

	strand->next = b.next;
	kft_strbuf_clear(&strand->tail);
	return r;
}

static int make_strand(struct kft_byte_streams *s, uint32_t strand)
{
	while (s->list.len <= strand)
		if (!kft_vec_push(&s->list, (struct kft_byte_stream){}))
			return -ENOMEM;
	return s->fd >= 0 ? 0 : kft_spool_create(&s->fd, NULL);
}

int kft_byte_streams_add(struct kft_byte_streams *s, uint32_t strand, const void *data,
			 size_t len)
{
	int r = make_strand(s, strand);

	for (size_t at = 0; r == 0 && at < len;) {
		struct kft_byte_stream *to = &s->list.data[strand];
		size_t part = KFT_MIN(len - at, KFT_BYTE_STREAM_BLOCK - to->tail.len);

		kft_strbuf_add(&to->tail, (const char *)data + at, part);
		at += part;
		if (!kft_strbuf_ok(&to->tail))
			r = -ENOMEM;
		else if (to->tail.len == KFT_BYTE_STREAM_BLOCK)
			r = write_block(s, to);
	}
	return r;
}

int kft_byte_streams_read(const struct kft_byte_streams *s, uint32_t strand,
			  kft_byte_stream_take_fn *take, void *arg)
{
	struct block b;
	int r = 0;

	if (strand >= s->list.len)
		return 0;
	const struct kft_byte_stream *from = &s->list.data[strand];

	for (uint64_t i = from->first; r == 0 && i != from->next; i = b.next) {
		r = kft_pread_all(s->fd, &b, sizeof(b), place_of(i));
		if (r == 0)
			r = take(arg, b.data, sizeof(b.data));
	}
	return r == 0 && from->tail.len ? take(arg, from->tail.buf, from->tail.len) : r;
}
