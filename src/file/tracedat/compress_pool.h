/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * zstd on several threads, in order: chunks are fed one by one and come out compressed in
 * the same order. Memory is bounded: a pool has a fixed number of chunks, so the caller
 * has to take the oldest one before its room is reused.
 *
 * One thread owns a pool. -ENOTSUP when kft was built without zstd.
 */
struct kft_compress_pool;

/* threads 0: one per CPU, up to a limit. Level 0: zstd's default. */
int kft_compress_pool_create(int level, unsigned int threads, size_t chunk_bytes,
			     struct kft_compress_pool **ret) __must_check;
struct kft_compress_pool *kft_compress_pool_destroy(struct kft_compress_pool *p);
KFT_DEFINE_CLEANUP(struct kft_compress_pool *, kft_compress_pool_destroy)

size_t kft_compress_pool_chunk_bytes(const struct kft_compress_pool *p);

/*
 * Room for the next chunk, chunk_bytes long, borrowed until it is fed; NULL when all
 * rooms are in use: take the oldest chunk first.
 */
void *kft_compress_pool_room(struct kft_compress_pool *p);

/* The first len bytes of the room from kft_compress_pool_room() become a chunk. */
void kft_compress_pool_feed(struct kft_compress_pool *p, size_t len);

/*
 * Waits for the oldest chunk: 1 and its compressed bytes, borrowed until the next call of
 * take or room; 0 when none is left; -errno when compression failed.
 */
int kft_compress_pool_take(struct kft_compress_pool *p, const void **ret, size_t *ret_len,
			   size_t *ret_plain_len) __must_check;

/* The version of the zstd library, which a file's header names. */
const char *kft_compress_version(void);

/* Compresses a block at once. -ENOMEM, -EFBIG. The caller frees *ret. */
int kft_compress_block(int level, const void *data, size_t len, void **ret,
		       size_t *ret_len) __must_check;
