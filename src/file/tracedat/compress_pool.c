// SPDX-License-Identifier: LGPL-2.1-or-later
#include "file/tracedat/compress_pool.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include <zstd.h>

#define MAX_THREADS 16u

struct slot {
	void *plain; /* owned, chunk_bytes */
	size_t plain_len;
	void *packed; /* owned, packed_cap of the pool */
	size_t packed_len;
	int error; /* -errno */
	bool done; /* guarded by lock */
};

/*
 * Slots form a ring: the owner fills at `fed` and empties at `taken`, workers pick at
 * `picked`; taken <= picked <= fed, fed - taken <= n_slots. The counters never wrap.
 */
struct kft_compress_pool {
	pthread_mutex_t lock; /* guards fed, picked, stop and every slot's done */
	pthread_cond_t work; /* something was fed, or stop */
	pthread_cond_t finished; /* a slot is done */
	struct slot *slots; /* owned */
	size_t n_slots;
	uint64_t fed;
	uint64_t picked;
	uint64_t taken; /* the owner's alone */
	bool stop;
	int level;
	size_t chunk_bytes;
	size_t packed_cap;
	pthread_t *threads; /* owned */
	size_t n_threads; /* that run */
};

static struct slot *slot_at(struct kft_compress_pool *p, uint64_t i)
{
	return &p->slots[i % p->n_slots];
}

static void pack(struct kft_compress_pool *p, struct slot *s, ZSTD_CCtx *ctx)
{
	size_t n = ctx ? ZSTD_compressCCtx(ctx, s->packed, p->packed_cap, s->plain,
					   s->plain_len, p->level)
		       : 0;

	s->error = !ctx || ZSTD_isError(n) ? -ENOMEM : 0;
	s->packed_len = s->error ? 0 : n;
}

static void *worker(void *arg)
{
	struct kft_compress_pool *p = arg;
	ZSTD_CCtx *ctx = ZSTD_createCCtx();

	(void)pthread_mutex_lock(&p->lock);
	for (;;) {
		while (!p->stop && p->picked == p->fed)
			(void)pthread_cond_wait(&p->work, &p->lock);
		if (p->stop)
			break;
		struct slot *s = slot_at(p, p->picked++);
		(void)pthread_mutex_unlock(&p->lock);
		pack(p, s, ctx);
		(void)pthread_mutex_lock(&p->lock);
		s->done = true;
		(void)pthread_cond_signal(&p->finished);
	}
	(void)pthread_mutex_unlock(&p->lock);
	(void)ZSTD_freeCCtx(ctx);
	return NULL;
}

struct kft_compress_pool *kft_compress_pool_destroy(struct kft_compress_pool *p)
{
	if (!p)
		return NULL;
	(void)pthread_mutex_lock(&p->lock);
	p->stop = true;
	(void)pthread_cond_broadcast(&p->work);
	(void)pthread_mutex_unlock(&p->lock);
	for (size_t i = 0; i < p->n_threads; i++)
		(void)pthread_join(p->threads[i], NULL);
	for (size_t i = 0; p->slots && i < p->n_slots; i++) {
		free(p->slots[i].plain);
		free(p->slots[i].packed);
	}
	(void)pthread_mutex_destroy(&p->lock);
	(void)pthread_cond_destroy(&p->work);
	(void)pthread_cond_destroy(&p->finished);
	free(p->slots);
	free(p->threads);
	free(p);
	return NULL;
}

/* The program's signals are for its own threads. At least one worker must start. */
static int start_workers(struct kft_compress_pool *p, unsigned int count)
{
	sigset_t all;
	sigset_t old;
	int r = 0;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	while (p->n_threads < count && r == 0) {
		r = pthread_create(&p->threads[p->n_threads], NULL, worker, p);
		if (r == 0)
			p->n_threads++;
	}
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	return p->n_threads ? 0 : -r;
}

static int alloc_slots(struct kft_compress_pool *p)
{
	p->slots = calloc(p->n_slots, sizeof(*p->slots));
	if (!p->slots)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_slots; i++) {
		p->slots[i].plain = malloc(p->chunk_bytes);
		p->slots[i].packed = malloc(p->packed_cap);
		if (!p->slots[i].plain || !p->slots[i].packed)
			return -ENOMEM;
	}
	return 0;
}

static unsigned int usable_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n;
}

int kft_compress_pool_create(int level, unsigned int threads, size_t chunk_bytes,
			     struct kft_compress_pool **ret)
{
	struct kft_compress_pool *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	threads = KFT_MIN(threads ? threads : usable_cpus(), MAX_THREADS);
	(void)pthread_mutex_init(&p->lock, NULL);
	(void)pthread_cond_init(&p->work, NULL);
	(void)pthread_cond_init(&p->finished, NULL);
	p->level = level ? level : ZSTD_CLEVEL_DEFAULT;
	p->chunk_bytes = chunk_bytes;
	p->packed_cap = ZSTD_compressBound(chunk_bytes);
	p->n_slots = threads * 2; /* one in work and one ready for each */
	p->threads = calloc(threads, sizeof(*p->threads));
	int r = p->threads ? alloc_slots(p) : -ENOMEM;
	if (r == 0)
		r = start_workers(p, threads);
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
	/* Only the owner moves fed and taken: no lock to look. */
	if (p->fed - p->taken == p->n_slots)
		return NULL;
	return slot_at(p, p->fed)->plain;
}

void kft_compress_pool_feed(struct kft_compress_pool *p, size_t len)
{
	struct slot *s = slot_at(p, p->fed);

	s->plain_len = len;
	(void)pthread_mutex_lock(&p->lock);
	s->done = false;
	p->fed++;
	(void)pthread_cond_signal(&p->work);
	(void)pthread_mutex_unlock(&p->lock);
}

int kft_compress_pool_take(struct kft_compress_pool *p, const void **ret, size_t *ret_len,
			   size_t *ret_plain_len)
{
	if (p->taken == p->fed)
		return 0;
	struct slot *s = slot_at(p, p->taken);

	(void)pthread_mutex_lock(&p->lock);
	while (!s->done)
		(void)pthread_cond_wait(&p->finished, &p->lock);
	(void)pthread_mutex_unlock(&p->lock);
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
