/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_PAGES_H
#define KFT_FILE_TRACEDAT_READ_PAGES_H

#include "base/pool.h"
#include "file/tracedat/read_decompress.h"
#include "file/tracedat/read_state.h"

/*
 * The ring-buffer pages of one CPU from first to last, out of a range of a file that holds
 * them as they are or in compressed chunks. Memory is one buffer that does not grow with
 * the range: some pages, or one chunk.
 */

/*
 * A page buffer holds this much while few are in use, so that it stays in the second-level
 * cache; all of them together get KFT_DAT_BUFFERS_BYTES when many are; none is less than a
 * page. Beyond KFT_DAT_MAX_STREAM_BYTES in all streams fail.
 */
#define KFT_DAT_BUFFER_BYTES	 (128u << 10)
#define KFT_DAT_BUFFERS_BYTES	 (8u << 20)
#define KFT_DAT_MAX_STREAM_BYTES (512u << 20)

/* Nothing is unpacked ahead where that would make it more than this. */
#define KFT_DAT_MAX_AHEAD_BYTES (24u << 20)

/* So many useless chunks in a row: what follows is taken for no chunks at all. */
#define KFT_DAT_MAX_BAD_CHUNKS 1000

struct kft_dat_page {
	const uint8_t *data; /* borrowed until the next call that is not ready */
	size_t size; /* less than the page size where the file was cut */
	uint64_t offset; /* in the file: of the page, or of the chunk that has it */
};

/* A stream's next chunk, which a thread unpacks while the stream reads the one before. */
struct kft_dat_ahead {
	struct kft_job job;
	struct kft_dat_decompressor *dec; /* borrowed */
	struct kft_dat_chunk chunk;
	uint8_t *buf; /* owned, room for chunk.size bytes */
	size_t cap;
	int result; /* once done: 0 or -errno, as kft_dat_unpack() */
	const char *why;
};

struct kft_dat_pages {
	struct kft_dat_reader *d; /* borrowed */
	const struct kft_dat_input *in; /* borrowed */
	uint64_t start; /* of the range in the file */
	uint64_t end; /* chunked: its chunks end there or a little behind */
	uint32_t page_size;
	bool chunked;

	uint8_t *buf; /* owned */
	size_t cap;
	size_t len;
	size_t pos;
	uint64_t buf_offset; /* in the file, of what buf was read from */
	uint64_t next; /* in the file, of what comes after it */
	bool shrunk; /* the file was cut while it was read */

	/* Chunked. */
	bool is_part; /* start and n_chunks are those of a part of the range */
	uint64_t first_chunk; /* of the part */
	uint64_t n_chunks; /* the last one's number, plus one */
	uint64_t chunk; /* the next one's number */
	uint64_t unpacked; /* bytes of chunks since the last seek */
	unsigned int bad_chunks; /* in a row */
	struct kft_dat_ahead ahead;
	KFT_VEC(uint64_t) marks; /* file offsets of every stride'th chunk; owned */
	uint64_t stride; /* 0: the marks are not known yet */
};

/*
 * start and end are within the input. Nothing is read yet. The number of streams that
 * share the memory is known when the first page is asked for.
 */
void kft_dat_pages_init(struct kft_dat_pages *p, struct kft_dat_reader *d,
			const struct kft_dat_input *in, uint64_t start, uint64_t end,
			uint32_t page_size, bool chunked);
void kft_dat_pages_finish(struct kft_dat_pages *p);

/* Gives the buffer back. Pages that came from it are gone; the walk stays where it is. */
void kft_dat_pages_release(struct kft_dat_pages *p);

/* The next page can be had while the one before stays valid. */
static inline bool kft_dat_pages_ready(const struct kft_dat_pages *p)
{
	return p->pos < p->len;
}

/*
 * 1, or 0 at the end. -EBADMSG: a chunk could not be used, the next call goes on behind
 * it. Other errors (-ENODATA: the file ends in a chunk) are final. *ret_why is a static
 * text and ret->offset the place when it fails.
 */
int kft_dat_pages_next(struct kft_dat_pages *p, struct kft_dat_page *ret,
		       const char **ret_why) __must_check;

/* Places to which a walk can go directly: pages, or some of the chunks. 0 when none. */
uint64_t kft_dat_pages_places(struct kft_dat_pages *p);

/* The next page is the first one of the place; place 0 is the start. */
void kft_dat_pages_seek(struct kft_dat_pages *p, uint64_t place);

/* A walk of its own over the places [from, to) of p, which stays as it is. */
void kft_dat_pages_part(struct kft_dat_pages *p, uint64_t from, uint64_t to,
			struct kft_dat_pages *ret);

#endif
