// SPDX-License-Identifier: LGPL-2.1-or-later
/* Replaces compress_pool.c where kft is built without zstd. */
#include "file/tracedat/compress_pool.h"

#include <errno.h>

int kft_compress_pool_create(int level, unsigned int threads, size_t chunk_bytes,
			     struct kft_compress_pool **ret)
{
	return -ENOTSUP;
}

struct kft_compress_pool *kft_compress_pool_destroy(struct kft_compress_pool *p)
{
	return NULL;
}

size_t kft_compress_pool_chunk_bytes(const struct kft_compress_pool *p)
{
	return 0;
}

void *kft_compress_pool_room(struct kft_compress_pool *p)
{
	return NULL;
}

void kft_compress_pool_feed(struct kft_compress_pool *p, size_t len)
{
}

int kft_compress_pool_take(struct kft_compress_pool *p, const void **ret, size_t *ret_len,
			   size_t *ret_plain_len)
{
	return -ENOTSUP;
}

const char *kft_compress_version(void)
{
	return "";
}

int kft_compress_block(int level, const void *data, size_t len, void **ret,
		       size_t *ret_len)
{
	return -ENOTSUP;
}
