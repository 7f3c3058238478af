// SPDX-License-Identifier: LGPL-2.1-or-later
/* Appends to a trace.dat file that is being written. */
#include "file/tracedat/write/file.h"

#include <errno.h>

#include "base/err.h"
#include "base/io.h"
#include "file/tracedat/format.h"

/*
 * trace-cmd compresses 10 pages at a time. Larger chunks compress better; but a reader
 * that needs one page must decompress the whole chunk, and trace-cmd 3.1 keeps all
 * decompressed chunks in memory. A reader that merges all CPUs by time has a chunk of
 * each in memory, so files with many CPUs get smaller chunks.
 */
#define CHUNK_BYTES_MAX	 (256u << 10)
#define CHUNK_BYTES_MIN	 (32u << 10)
#define ALL_CHUNKS_BYTES (16u << 20)

static size_t chunk_bytes(size_t n_sources, uint32_t max_page_size)
{
	size_t share = ALL_CHUNKS_BYTES / (n_sources + 1);
	size_t n = KFT_MIN(KFT_MAX(share, (size_t)CHUNK_BYTES_MIN),
			   (size_t)CHUNK_BYTES_MAX);

	return KFT_MAX(n, (size_t)max_page_size);
}

int kft_dat_init(struct kft_dat_file *f, int fd, const struct kft_meta *meta,
		 const struct kft_tracedat_opts *opts, size_t n_sources,
		 uint32_t max_page_size, struct kft_err *e)
{
	*f = (struct kft_dat_file){
		.fd = fd,
		.swap = meta->big_endian != kft_host_is_big_endian(),
		.meta = meta,
		.opts = opts,
		.e = e,
	};
	if (opts->compress != KFT_TRACEDAT_ZSTD)
		return 0;
	int r = kft_compress_pool_create(opts->level, opts->threads,
					 chunk_bytes(n_sources, max_page_size), &f->pool);
	return r < 0 ? kft_err_sys(e, r, "cannot start compressing") : 0;
}

void kft_dat_finish(struct kft_dat_file *f)
{
	f->pool = kft_compress_pool_destroy(f->pool);
}

static int write_failed(struct kft_dat_file *f, int r)
{
	return kft_err_sys(f->e, r, "write of the trace failed at byte %llu",
			   (unsigned long long)f->pos);
}

int kft_dat_append(struct kft_dat_file *f, const void *data, size_t len)
{
	int r = kft_pwrite_all(f->fd, data, len, f->pos);

	if (r < 0)
		return write_failed(f, r);
	f->pos += len;
	return 0;
}

int kft_dat_append_sb(struct kft_dat_file *f, const struct kft_strbuf *sb)
{
	if (!kft_strbuf_ok(sb))
		return kft_err_sys(f->e, -ENOMEM, "cannot write the trace");
	return kft_dat_append(f, sb->buf, sb->len);
}

int kft_dat_patch_u32(struct kft_dat_file *f, uint64_t offset, uint32_t v)
{
	v = f->swap ? __builtin_bswap32(v) : v;
	int r = kft_pwrite_all(f->fd, &v, sizeof(v), offset);
	return r < 0 ? write_failed(f, r) : 0;
}

int kft_dat_patch_u64(struct kft_dat_file *f, uint64_t offset, uint64_t v)
{
	v = f->swap ? __builtin_bswap64(v) : v;
	int r = kft_pwrite_all(f->fd, &v, sizeof(v), offset);
	return r < 0 ? write_failed(f, r) : 0;
}

void kft_dat_align(struct kft_dat_file *f, uint32_t bytes)
{
	f->pos = (f->pos + bytes - 1) & ~(uint64_t)(bytes - 1);
}

static void add_done(void *arg, uint64_t bytes)
{
	struct kft_dat_file *f = arg;

	/* The total is an estimate if a source does not know its size. */
	f->done_bytes += bytes;
	f->total_bytes = KFT_MAX(f->total_bytes, f->done_bytes);
	if (f->opts->progress)
		f->opts->progress(f->opts->progress_arg, f->done_bytes, f->total_bytes);
}

/* COMPRESSION FORMAT OF THE TRACE DATA: u32 packed size, u32 plain size, bytes. */
static int append_chunk(struct kft_dat_file *f)
{
	const void *packed;
	size_t packed_len;
	size_t plain_len;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf head = {};
	int r = kft_compress_pool_take(f->pool, &packed, &packed_len, &plain_len);

	if (r < 0)
		return kft_err_sys(f->e, r, "cannot compress");
	if (r == 0)
		return 0;
	kft_encode_u32(&head, packed_len, f->swap);
	kft_encode_u32(&head, plain_len, f->swap);
	r = kft_dat_append_sb(f, &head);
	if (r < 0)
		return r;
	r = kft_dat_append(f, packed, packed_len);
	if (r < 0)
		return r;
	add_done(f, plain_len);
	return 1;
}

/*
 * Feeds all pages into the pool and appends its results to the file; counts the chunks.
 */
static int feed_chunks(struct kft_dat_file *f, const struct kft_page_source *s,
		       size_t chunk, uint64_t *ret_count)
{
	uint64_t count = 0;
	uint64_t pos = 0;

	for (;;) {
		void *room = kft_compress_pool_room(f->pool);

		if (!room) {
			int r = append_chunk(f);

			if (r < 0)
				return r;
			continue;
		}
		ssize_t n = kft_page_source_read(s, &pos, room, chunk);
		if (n < 0)
			return kft_err_sys(f->e, n, "cannot read the pages of CPU %u",
					   s->cpu);
		if (n == 0)
			break;
		kft_compress_pool_feed(f->pool, n);
		count++;
	}
	*ret_count = count;
	return 0;
}

static int append_packed(struct kft_dat_file *f, const struct kft_page_source *s,
			 uint32_t page_size)
{
	size_t chunk = kft_compress_pool_chunk_bytes(f->pool) / page_size * page_size;
	const uint64_t start = f->pos;
	uint64_t count = 0;

	f->pos += sizeof(uint32_t);
	int r = feed_chunks(f, s, chunk, &count);
	if (r < 0)
		return r;
	do {
		r = append_chunk(f);
	} while (r > 0);
	if (r < 0)
		return r;
	if (count > UINT32_MAX)
		return kft_err_set(f->e, -EFBIG, "CPU %u has too much data", s->cpu);
	return kft_dat_patch_u32(f, start, count);
}

int kft_dat_append_pages(struct kft_dat_file *f, const struct kft_page_source *s,
			 uint32_t page_size)
{
	uint64_t bytes;

	if (f->pool)
		return append_packed(f, s, page_size);
	int r = kft_page_source_copy(s, f->fd, f->pos, add_done, f, &bytes);
	if (r < 0)
		return kft_err_sys(f->e, r, "cannot copy the pages of CPU %u", s->cpu);
	f->pos += bytes;
	return 0;
}

void kft_dat_encode_start(const struct kft_dat_file *f, struct kft_strbuf *sb,
			  const char *version)
{
	kft_strbuf_add(sb, KFT_TRACEDAT_MAGIC, KFT_TRACEDAT_MAGIC_BYTES);
	kft_encode_str(sb, version);
	kft_strbuf_addc(sb, f->meta->big_endian);
	kft_strbuf_addc(sb, f->meta->long_size);
	kft_encode_u32(sb, f->meta->page_size, f->swap);
}
