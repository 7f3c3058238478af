// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compresses chunks with zstd in several threads. */
#include "file/tracedat/compress_pool.h"

#include <errno.h>

#include <zstd.h>

#include "base/pool.h"
#include "base/thread.h"

#define MAX_THREADS 16u

struct kft_compress_pool;

struct slot {
	struct kft_job job;
	struct kft_compress_pool *pool; /* borrowed */
	void *plain; /* owned, chunk_bytes */
	size_t plain_len;
	void *packed; /* owned, packed_cap of the pool */
	size_t packed_len;
	int error; /* -errno */
};

/*
 * Slots form a ring: the owner fills at `fed` and empties at `taken`; taken <= fed,
 * fed - taken <= n_slots. The counters never wrap.
 */
struct kft_compress_pool {
	struct kft_pool *threads; /* owned */
	/* Owned: one per worker, and one for the owner. */
	ZSTD_CCtx *ctx[MAX_THREADS + 1];
	struct slot *slots; /* owned */
	size_t n_slots;
	uint64_t fed;
	uint64_t taken;
	int level;
	size_t chunk_bytes;
	size_t packed_cap;
};

static struct slot *slot_at(struct kft_compress_pool *p, uint64_t i)
{
	return &p->slots[i % p->n_slots];
}

static void pack(struct kft_job *job, unsigned int worker)
{
	struct slot *s = container_of(job, struct slot, job);
	struct kft_compress_pool *p = s->pool;

	if (!p->ctx[worker])
		p->ctx[worker] = ZSTD_createCCtx();
	size_t n = p->ctx[worker]
			   ? ZSTD_compressCCtx(p->ctx[worker], s->packed, p->packed_cap,
					       s->plain, s->plain_len, p->level)
			   : 0;
	s->error = !p->ctx[worker] || ZSTD_isError(n) ? -ENOMEM : 0;
	s->packed_len = s->error ? 0 : n;
}

struct kft_compress_pool *kft_compress_pool_destroy(struct kft_compress_pool *p)
{
	if (!p)
		return NULL;
	for (; p->taken < p->fed; p->taken++)
		(void)kft_pool_cancel(p->threads, &slot_at(p, p->taken)->job);
	(void)kft_pool_destroy(p->threads);
	for (size_t i = 0; i < ARRAY_SIZE(p->ctx); i++)
		(void)ZSTD_freeCCtx(p->ctx[i]);
	for (size_t i = 0; p->slots && i < p->n_slots; i++) {
		free(p->slots[i].plain);
		free(p->slots[i].packed);
	}
	free(p->slots);
	free(p);
	return NULL;
}

static int alloc_slots(struct kft_compress_pool *p)
{
	p->slots = calloc(p->n_slots, sizeof(*p->slots));
	if (!p->slots)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_slots; i++) {
		p->slots[i].job.run = pack;
		p->slots[i].pool = p;
		p->slots[i].plain = malloc(p->chunk_bytes);
		p->slots[i].packed = malloc(p->packed_cap);
		if (!p->slots[i].plain || !p->slots[i].packed)
			return -ENOMEM;
	}
	return 0;
}

int kft_compress_pool_create(int level, unsigned int threads, size_t chunk_bytes,
			     struct kft_compress_pool **ret)
{
	struct kft_compress_pool *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	threads = KFT_MIN(threads ? threads : kft_threads_usable(), MAX_THREADS);
	p->level = level ? level : ZSTD_CLEVEL_DEFAULT;
	p->chunk_bytes = chunk_bytes;
	p->packed_cap = ZSTD_compressBound(chunk_bytes);
	p->n_slots = threads * 2; /* per thread one in compression and one waiting */
	int r = alloc_slots(p);
	if (r == 0)
		r = kft_pool_create(threads, &p->threads);
	if (r < 0) {
		(void)kft_compress_pool_destroy(p);
		return r;
	}
	*ret = p;
	return 0;
}

size_t kft_compress_pool_chunk_bytes(const struct kft_compress_pool *p)
{
	return p->chunk_bytes;
}

void *kft_compress_pool_room(struct kft_compress_pool *p)
{
	if (p->fed - p->taken == p->n_slots)
		return NULL;
	return slot_at(p, p->fed)->plain;
}

void kft_compress_pool_feed(struct kft_compress_pool *p, size_t len)
{
	struct slot *s = slot_at(p, p->fed);

	s->plain_len = len;
	p->fed++;
	kft_pool_submit(p->threads, &s->job);
}

int kft_compress_pool_take(struct kft_compress_pool *p, const void **ret, size_t *ret_len,
			   size_t *ret_plain_len)
{
	if (p->taken == p->fed)
		return 0;
	struct slot *s = slot_at(p, p->taken);

	kft_pool_wait(p->threads, &s->job);
	p->taken++;
	if (s->error)
		return s->error;
	*ret = s->packed;
	*ret_len = s->packed_len;
	*ret_plain_len = s->plain_len;
	return 1;
}

const char *kft_compress_version(void)
{
	return ZSTD_versionString();
}

int kft_compress_block(int level, const void *data, size_t len, void **ret,
		       size_t *ret_len)
{
	size_t cap = ZSTD_compressBound(len);
	_cleanup_free_ void *packed = malloc(cap);

	if (!packed)
		return -ENOMEM;
	size_t n = ZSTD_compress(packed, cap, data, len,
				 level ? level : ZSTD_CLEVEL_DEFAULT);
	if (ZSTD_isError(n))
		return -ENOMEM;
	*ret = TAKE(packed);
	*ret_len = n;
	return 0;
}
