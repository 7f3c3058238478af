/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/pool.h"
#include "file/io/decompress.h"
#include "file/tracedat/read/state.h"

/*
 * The ring-buffer pages of one CPU in order, from a range of a file that holds them
 * uncompressed or in compressed chunks. Memory is one buffer that does not grow with the
 * range: some pages, or one chunk.
 */

/*
 * Size of a page buffer while few are in use, so that it stays in the second-level cache;
 * limit of all of them together when many are (a buffer has at least one page); and limit
 * of the memory of all streams, beyond which they fail.
 */
#define KFT_DAT_BUFFER_BYTES	 (128u << 10)
#define KFT_DAT_BUFFERS_BYTES	 (8u << 20)
#define KFT_DAT_MAX_STREAM_BYTES (512u << 20)

/* A chunk is decompressed ahead only if memory stays below this. */
#define KFT_DAT_MAX_AHEAD_BYTES (24u << 20)

/* After this many malformed chunks in a row, the rest is not treated as chunks. */
#define KFT_DAT_MAX_BAD_CHUNKS 1000

struct kft_dat_page {
	const uint8_t *data; /* borrowed until the next call that is not ready */
	size_t size; /* less than the page size where the file was truncated */
	uint64_t offset; /* file offset of the page, or of its chunk */
};

/*
 * A stream's next chunk, which a thread decompresses while the
 * stream reads the one before.
 */
struct kft_dat_ahead {
	struct kft_job job;
	struct kft_dat_decompressor *dec; /* borrowed */
	struct kft_dat_chunk chunk;
	uint8_t *buf; /* owned, room for chunk.size bytes */
	size_t cap;
	int result; /* when done: 0 or -errno of kft_dat_unpack() */
	const char *why;
};

struct kft_dat_pages {
	struct kft_dat_reader *d; /* borrowed */
	const struct kft_dat_input *in; /* borrowed */
	uint64_t start; /* range in the file */
	uint64_t end; /* chunked: the last chunk may end slightly later */
	uint32_t page_size;
	bool chunked;

	uint8_t *buf; /* owned */
	size_t cap;
	size_t len;
	size_t pos;
	uint64_t buf_offset; /* file offset of the bytes in buf */
	uint64_t next; /* file offset of the bytes after them */
	bool shrunk; /* the file was truncated while it was read */

	/* Members for chunked ranges. */
	bool is_part; /* start and n_chunks are those of a part of the range */
	uint64_t first_chunk; /* number of the part's first chunk */
	uint64_t n_chunks; /* number of the last chunk plus one */
	uint64_t chunk; /* number of the next chunk */
	uint64_t unpacked; /* bytes of chunks since the last seek */
	unsigned int bad_chunks; /* in a row */
	struct kft_dat_ahead ahead;
	KFT_VEC(uint64_t) marks; /* owned: file offsets of every stride'th chunk */
	uint64_t stride; /* 0: there are no marks yet */
};

/*
 * start and end are within the input. Nothing is read yet: the size of the buffer depends
 * on the number of streams, which is known when the first page is read.
 */
void kft_dat_pages_init(struct kft_dat_pages *p, struct kft_dat_reader *d,
			const struct kft_dat_input *in, uint64_t start, uint64_t end,
			uint32_t page_size, bool chunked);
void kft_dat_pages_finish(struct kft_dat_pages *p);

/* Frees the buffer. Pages borrowed from it become invalid; the position is kept. */
void kft_dat_pages_release(struct kft_dat_pages *p);

/* Whether the next page can be read while the one before stays valid. */
static inline bool kft_dat_pages_ready(const struct kft_dat_pages *p)
{
	return p->pos < p->len;
}

/*
 * 1, or 0 at the end. -EBADMSG: a chunk is malformed, the next call continues after it.
 * Other errors (-ENODATA: the file ends in a chunk) are final. On failure *ret_why is a
 * static text and ret->offset the file offset.
 */
int kft_dat_pages_next(struct kft_dat_pages *p, struct kft_dat_page *ret,
		       const char **ret_why) __must_check;

/* Number of places that a walk can seek to: pages, or some of the chunks. 0 when none. */
uint64_t kft_dat_pages_places(struct kft_dat_pages *p);

/* Seeks to the first page of the place; place 0 is the start. */
void kft_dat_pages_seek(struct kft_dat_pages *p, uint64_t place);

/*
 * Sets ret up as an independent walk over the places [from, to) of
 * p, which is not changed.
 */
void kft_dat_pages_part(struct kft_dat_pages *p, uint64_t from, uint64_t to,
			struct kft_dat_pages *ret);
