/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_COMPRESS_POOL_H
#define KFT_FILE_TRACEDAT_COMPRESS_POOL_H

#include "base/macro.h"

/*
 * zstd on several threads, in order: chunks go in one by one and come out compressed in
 * the order in which they went in. Memory is bounded: a pool has a fixed number of chunks
 * and whoever feeds it writes the oldest out before it reuses its place.
 *
 * One thread owns a pool. -ENOTSUP when kft was built without zstd.
 */
struct kft_compress_pool;

/* threads 0: as many as there are CPUs, within reason. Level 0: zstd's default. */
int kft_compress_pool_create(int level, unsigned int threads, size_t chunk_bytes,
			     struct kft_compress_pool **ret) __must_check;
struct kft_compress_pool *kft_compress_pool_destroy(struct kft_compress_pool *p);
KFT_DEFINE_CLEANUP(struct kft_compress_pool *, kft_compress_pool_destroy)

size_t kft_compress_pool_chunk_bytes(const struct kft_compress_pool *p);

/*
 * The place for the next chunk, chunk_bytes long, borrowed until it is fed; NULL when
 * all are in use: take the oldest first.
 */
void *kft_compress_pool_room(struct kft_compress_pool *p);

/* The first len bytes of the place that kft_compress_pool_room() gave are a chunk. */
void kft_compress_pool_feed(struct kft_compress_pool *p, size_t len);

/*
 * Waits for the oldest chunk: 1 and its compressed bytes, borrowed until the next call
 * of take or room; 0 when none is left; -errno when it could not be compressed.
 */
int kft_compress_pool_take(struct kft_compress_pool *p, const void **ret, size_t *ret_len,
			   size_t *ret_plain_len) __must_check;

/* What the algorithm is called in a file: "zstd" and the library's version. */
const char *kft_compress_version(void);

/* A whole block at once. -ENOMEM, -EFBIG. The caller frees *ret. */
int kft_compress_block(int level, const void *data, size_t len, void **ret,
		       size_t *ret_len) __must_check;

#endif
