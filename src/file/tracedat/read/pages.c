// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the ring-buffer pages of one CPU, compressed or not. */
#include "file/tracedat/read/pages.h"

#include <errno.h>

#define CHUNK_HEADER_BYTES 8 /* u32 compressed size, u32 size */
#define CHUNK_COUNT_BYTES  4

/* The kernel copies faster to page-aligned memory. */
#define BUFFER_ALIGN ((size_t)4096)

/* Limit for the marks of a CPU's chunks: 32 KB, whatever the file's size. */
#define MAX_MARKS 4096

void kft_dat_pages_init(struct kft_dat_pages *p, struct kft_dat_reader *d,
			const struct kft_dat_input *in, uint64_t start, uint64_t end,
			uint32_t page_size, bool chunked)
{
	*p = (struct kft_dat_pages){
		.d = d,
		.in = in,
		.start = start,
		.end = end,
		.page_size = page_size,
		.chunked = chunked,
		.next = start,
	};
}

static void free_room(struct kft_dat_pages *p, uint8_t **buf, size_t *cap)
{
	atomic_fetch_sub(&p->d->stream_bytes, *cap);
	free(*buf);
	*buf = NULL;
	*cap = 0;
}

void kft_dat_pages_release(struct kft_dat_pages *p)
{
	if (p->d->ahead)
		(void)kft_pool_cancel(p->d->ahead, &p->ahead.job);
	free_room(p, &p->ahead.buf, &p->ahead.cap);
	free_room(p, &p->buf, &p->cap);
	p->len = 0;
	p->pos = 0;
}

void kft_dat_pages_finish(struct kft_dat_pages *p)
{
	kft_dat_pages_release(p);
	kft_vec_finish(&p->marks);
}

/*
 * Ensures a buffer of at least size bytes; its content is lost. False when the memory of
 * all streams together would exceed max, or when out of memory.
 */
static bool make_room(struct kft_dat_pages *p, uint8_t **buf, size_t *cap, size_t size,
		      size_t max)
{
	if (size <= *cap)
		return true;
	size_t more = size - *cap;
	if (atomic_fetch_add(&p->d->stream_bytes, more) + more > max) {
		atomic_fetch_sub(&p->d->stream_bytes, more);
		return false;
	}
	free(*buf);
	*buf = aligned_alloc(BUFFER_ALIGN, (size + BUFFER_ALIGN - 1) & -BUFFER_ALIGN);
	*cap = *buf ? size : 0;
	if (!*buf)
		atomic_fetch_sub(&p->d->stream_bytes, size);
	return *buf;
}

static size_t plain_buffer_bytes(const struct kft_dat_pages *p)
{
	size_t share = KFT_DAT_BUFFERS_BYTES / (p->d->n_streams + 1);
	bool few = atomic_load(&p->d->stream_bytes) < KFT_DAT_BUFFERS_BYTES / 4;
	uint64_t want = few ? KFT_DAT_BUFFER_BYTES
			    : KFT_MIN(share, (size_t)KFT_DAT_BUFFER_BYTES);
	uint64_t data = p->end - p->start;

	/* A whole number of pages, at least one, at most the range. */
	want = KFT_MIN(want, data + p->page_size - 1) / p->page_size * p->page_size;
	return KFT_MAX(want, (uint64_t)p->page_size);
}

static int fill_plain(struct kft_dat_pages *p, const char **ret_why)
{
	uint64_t left = p->end - p->next;

	if (p->shrunk) {
		*ret_why = "the file became shorter";
		return -ENODATA;
	}
	if (!left)
		return 0;
	if (!p->cap && !make_room(p, &p->buf, &p->cap, plain_buffer_bytes(p),
				  KFT_DAT_MAX_STREAM_BYTES)) {
		*ret_why = "out of memory for its pages";
		return -ENOMEM;
	}
	size_t want = KFT_MIN(left, (uint64_t)p->cap);
	int r = kft_dat_input_read_some(p->in, p->next, p->buf, want, &p->len);
	if (r < 0) {
		*ret_why = "cannot be read";
		return r;
	}
	p->buf_offset = p->next;
	p->next += p->len;
	p->shrunk = p->len < want;
	return 1;
}

static int read_chunk_count(struct kft_dat_pages *p, const char **ret_why)
{
	uint8_t count[CHUNK_COUNT_BYTES];
	int r = kft_dat_input_read(p->in, p->start, count, sizeof(count));

	if (r < 0) {
		*ret_why = "the number of its chunks cannot be read";
		return r;
	}
	p->n_chunks = kft_load_u32(count, p->in->swap);
	p->next = p->start + sizeof(count);
	return 0;
}

/* Moves p->next past the header there. */
static int read_chunk_header(struct kft_dat_pages *p, uint32_t *ret_packed,
			     uint32_t *ret_size, const char **ret_why)
{
	uint8_t head[CHUNK_HEADER_BYTES];
	int r = kft_dat_input_read(p->in, p->next, head, sizeof(head));

	if (r < 0) {
		*ret_why = "a chunk's header cannot be read";
		return r;
	}
	*ret_packed = kft_load_u32(head, p->in->swap);
	*ret_size = kft_load_u32(head + 4, p->in->swap);
	if (*ret_packed > p->in->size - p->next - sizeof(head)) {
		*ret_why = "the file ends in a chunk";
		return -ENODATA;
	}
	p->next += sizeof(head);
	return 0;
}

static bool is_possible(const struct kft_dat_chunk *c)
{
	return c->size && c->size <= KFT_TRACEDAT_MAX_CHUNK_BYTES &&
	       c->packed <= KFT_TRACEDAT_MAX_CHUNK_BYTES;
}

/*
 * 1 when a thread has decompressed the chunk, 0 when none did, -errno. A job
 * that no thread has started is cancelled: the caller decompresses the chunk
 * itself instead of waiting.
 */
static int take_ahead(struct kft_dat_pages *p, const struct kft_dat_chunk *c,
		      const char **ret_why)
{
	struct kft_dat_ahead *a = &p->ahead;

	if (!p->d->ahead || !kft_pool_cancel(p->d->ahead, &a->job) ||
	    a->chunk.at != c->at)
		return 0;
	*ret_why = a->why;
	if (a->result < 0)
		return a->result;
	uint8_t *buf = p->buf;
	size_t cap = p->cap;
	p->buf = a->buf;
	p->cap = a->cap;
	a->buf = buf;
	a->cap = cap;
	return 1;
}

static void unpack_ahead(struct kft_job *job, unsigned int worker)
{
	struct kft_dat_ahead *a = container_of(job, struct kft_dat_ahead, job);

	(void)worker;
	a->result = kft_dat_unpack(a->dec, &a->chunk, a->buf, &a->why);
}

/* Starts a job for the chunk at p->next if the memory limit allows it. */
static void start_ahead(struct kft_dat_pages *p)
{
	struct kft_dat_ahead *a = &p->ahead;
	struct kft_dat_chunk c = {.in = p->in};
	uint64_t next = p->next;
	const char *why;

	if (!p->d->ahead || p->chunk >= p->n_chunks)
		return;
	int r = read_chunk_header(p, &c.packed, &c.size, &why);
	c.at = p->next;
	p->next = next;
	if (r < 0 || !is_possible(&c) ||
	    !make_room(p, &a->buf, &a->cap, c.size, KFT_DAT_MAX_AHEAD_BYTES))
		return;
	a->chunk = c;
	a->dec = &p->d->dec;
	a->job.run = unpack_ahead;
	kft_pool_submit(p->d->ahead, &a->job);
}

static int unpack(struct kft_dat_pages *p, const struct kft_dat_chunk *c,
		  const char **ret_why)
{
	if (!is_possible(c)) {
		*ret_why = "a chunk of this size is impossible";
		return -EBADMSG;
	}
	int r = take_ahead(p, c, ret_why);
	if (r != 0)
		return KFT_MIN(r, 0);
	if (!make_room(p, &p->buf, &p->cap, c->size, KFT_DAT_MAX_STREAM_BYTES)) {
		*ret_why = "out of memory for a chunk";
		return -ENOMEM;
	}
	return kft_dat_unpack(&p->d->dec, c, p->buf, ret_why);
}

static int bad_chunk(struct kft_dat_pages *p, int r, const char **ret_why)
{
	if (++p->bad_chunks < KFT_DAT_MAX_BAD_CHUNKS)
		return r;
	*ret_why = "too many chunks in a row are damaged";
	p->chunk = p->n_chunks;
	p->next = p->end;
	return -EBADMSG;
}

/*
 * Limit against decompression bombs: few bytes can expand to
 * gigabytes of one repeated page.
 */
static uint64_t max_unpacked(const struct kft_dat_pages *p)
{
	uint64_t share = KFT_TRACEDAT_ANY_RATIO / KFT_MAX(p->d->n_streams, (size_t)1);
	uint64_t limit;

	if (kft_mul(p->end - p->start, (uint64_t)KFT_TRACEDAT_MAX_RATIO, &limit))
		return UINT64_MAX;
	return limit + KFT_MIN(share, (uint64_t)KFT_TRACEDAT_MIN_UNPACKED);
}

static int fill_chunk(struct kft_dat_pages *p, const char **ret_why)
{
	struct kft_dat_chunk c = {.in = p->in};
	int r = 0;

	if (p->next == p->start && !p->is_part)
		r = read_chunk_count(p, ret_why);
	if (r < 0)
		return r;
	if (p->chunk == p->n_chunks && p->next < p->end) {
		*ret_why = "fewer chunks than its size implies";
		return -ENODATA;
	}
	if (p->chunk == p->n_chunks)
		return 0;
	p->buf_offset = p->next;
	r = read_chunk_header(p, &c.packed, &c.size, ret_why);
	if (r < 0)
		return r;
	c.at = p->next;
	/* Even if this chunk fails, the next one follows it. */
	p->next += c.packed;
	p->chunk++;
	r = unpack(p, &c, ret_why);
	if (r < 0)
		return bad_chunk(p, r, ret_why);
	p->bad_chunks = 0;
	p->unpacked += c.size;
	if (p->unpacked > max_unpacked(p)) {
		*ret_why = "its chunks are much too large for their bytes in the file";
		p->chunk = p->n_chunks;
		p->next = p->end;
		return -EFBIG;
	}
	p->len = c.size;
	start_ahead(p);
	return 1;
}

int kft_dat_pages_next(struct kft_dat_pages *p, struct kft_dat_page *ret,
		       const char **ret_why)
{
	if (unlikely(p->pos >= p->len)) {
		p->pos = 0;
		p->len = 0;
		p->buf_offset = p->next;
		int r = p->chunked ? fill_chunk(p, ret_why) : fill_plain(p, ret_why);

		if (r <= 0) {
			ret->offset = p->buf_offset;
			return r;
		}
	}
	ret->data = p->buf + p->pos;
	ret->size = KFT_MIN(p->len - p->pos, (size_t)p->page_size);
	ret->offset = p->chunked ? p->buf_offset : p->buf_offset + p->pos;
	p->pos += ret->size;
	return 1;
}

/* Adds a mark; when there are too many, every second one is dropped. */
static bool add_mark(struct kft_dat_pages *p, uint64_t chunk, uint64_t offset)
{
	if (p->marks.len == MAX_MARKS) {
		for (size_t i = 0; i < MAX_MARKS / 2; i++)
			p->marks.data[i] = p->marks.data[2 * i];
		p->marks.len /= 2;
		p->stride *= 2;
	}
	return chunk % p->stride || kft_vec_push(&p->marks, offset);
}

/* Walks all chunk headers, up to the first malformed one. */
static void make_marks(struct kft_dat_pages *p)
{
	const char *why;
	uint32_t packed;
	uint32_t size;

	p->stride = 1;
	if (read_chunk_count(p, &why) < 0)
		return;
	for (uint64_t i = 0; i < p->n_chunks; i++) {
		if (!add_mark(p, i, p->next) ||
		    read_chunk_header(p, &packed, &size, &why) < 0)
			return;
		p->next += packed;
	}
}

uint64_t kft_dat_pages_places(struct kft_dat_pages *p)
{
	if (!p->chunked)
		return (p->end - p->start + p->page_size - 1) / p->page_size;
	if (!p->stride)
		make_marks(p);
	return p->marks.len;
}

void kft_dat_pages_seek(struct kft_dat_pages *p, uint64_t place)
{
	p->pos = 0;
	p->len = 0;
	p->bad_chunks = 0;
	p->unpacked = 0;
	if (!p->chunked) {
		p->shrunk = false;
		p->next = p->start + place * p->page_size;
	} else if (place == 0) {
		p->next = p->start;
		p->chunk = p->first_chunk;
	} else {
		p->next = p->marks.data[place];
		p->chunk = place * p->stride;
	}
}

static void chunks_part(const struct kft_dat_pages *p, uint64_t from, uint64_t to,
			struct kft_dat_pages *ret)
{
	ret->is_part = true;
	/* A part has no marks, so it cannot seek. */
	ret->stride = 1;
	ret->start = p->marks.data[from];
	ret->next = ret->start;
	ret->first_chunk = from * p->stride;
	ret->chunk = ret->first_chunk;
	ret->n_chunks = p->n_chunks;
	if (to < p->marks.len) {
		ret->n_chunks = to * p->stride;
		ret->end = p->marks.data[to];
	}
}

void kft_dat_pages_part(struct kft_dat_pages *p, uint64_t from, uint64_t to,
			struct kft_dat_pages *ret)
{
	uint64_t start = p->start;
	uint64_t end = p->end;

	if (!p->chunked) {
		start += from * p->page_size;
		if (to < kft_dat_pages_places(p))
			end = p->start + to * p->page_size;
	}
	kft_dat_pages_init(ret, p->d, p->in, start, end, p->page_size, p->chunked);
	if (p->chunked)
		chunks_part(p, from, to, ret);
}
