// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads events in a thread of its own. */
#include "analysis/ahead.h"

#include <errno.h>
#include <pthread.h>

#include "base/thread.h"

#define BATCHES	     8
#define BATCH_EVENTS 1024
/* A batch with as many bytes is full; most have fewer. */
#define BATCH_BYTES ((size_t)256 << 10)

struct batch {
	struct kft_event events[BATCH_EVENTS]; /* data: in bytes */
	size_t n;
	int result; /* of the merge's last event, if there is none behind these */
	KFT_VEC(uint8_t) bytes;
};

struct kft_ahead {
	struct kft_merge *merge; /* borrowed; the thread's */
	pthread_t thread;
	struct batch batches[BATCHES];

	pthread_mutex_t
		lock; /* for what follows; a batch is of who may fill or read it */
	pthread_cond_t filled; /* number_filled or number_read went on, or stop was set */
	uint64_t number_filled;
	uint64_t number_read;
	bool stop;

	/* The caller's: */
	bool is_reading; /* it has the batch number_read */
	bool is_last; /* no batch follows that one */
	int result; /* of the merge behind the last batch */
};

/* Records are short: a call of memcpy() costs more than the copy. */
static inline void copy_record(uint8_t *to, const uint8_t *from, size_t size)
{
	size_t i = 0;

	for (; i + 8 <= size; i += 8)
		memcpy(to + i, from + i, 8);
	for (; i < size; i++)
		to[i] = from[i];
}

static bool put(struct batch *b, const struct kft_event *ev)
{
	if (!kft_vec_reserve(&b->bytes, ev->size))
		return false;
	copy_record(b->bytes.data + b->bytes.len, ev->data, ev->size);
	b->events[b->n++] = *ev;
	b->bytes.len += ev->size;
	return true;
}

static void fill(struct kft_merge *m, struct batch *b)
{
	const struct kft_event *ev;

	b->n = 0;
	b->bytes.len = 0;
	b->result = 1;
	while (b->n < BATCH_EVENTS && b->bytes.len < BATCH_BYTES) {
		b->result = kft_merge_next(m, &ev);
		if (b->result > 0 && !put(b, ev))
			b->result = -ENOMEM;
		if (b->result <= 0)
			break;
	}
	/* The bytes do not move any more. */
	size_t at = 0;

	for (size_t i = 0; i < b->n; i++) {
		b->events[i].data = b->bytes.data + at;
		at += b->events[i].size;
	}
}

/* Batches that are full. */
static uint64_t waiting(const struct kft_ahead *a)
{
	return a->number_filled - a->number_read;
}

/* When all batches are full the thread sleeps until half are read, not for each of them. */
static void *read_ahead(void *arg)
{
	struct kft_ahead *a = arg;
	int result = 1;

	(void)pthread_mutex_lock(&a->lock);
	while (result > 0) {
		if (waiting(a) == BATCHES)
			while (!a->stop && waiting(a) > BATCHES / 2)
				(void)pthread_cond_wait(&a->filled, &a->lock);
		if (a->stop)
			break;
		struct batch *b = &a->batches[a->number_filled % BATCHES];

		(void)pthread_mutex_unlock(&a->lock);
		fill(a->merge, b);
		result = b->result;
		(void)pthread_mutex_lock(&a->lock);
		a->number_filled++;
		(void)pthread_cond_signal(&a->filled);
	}
	(void)pthread_mutex_unlock(&a->lock);
	return NULL;
}

int kft_ahead_create(struct kft_merge *m, struct kft_ahead **ret)
{
	struct kft_ahead *a = calloc(1, sizeof(*a));

	if (!a)
		return -ENOMEM;
	a->merge = m;
	(void)pthread_mutex_init(&a->lock, NULL);
	(void)pthread_cond_init(&a->filled, NULL);
	int r = kft_thread_start(&a->thread, 0, read_ahead, a);

	if (r < 0) {
		(void)pthread_cond_destroy(&a->filled);
		(void)pthread_mutex_destroy(&a->lock);
		free(a);
		return r;
	}
	*ret = a;
	return 0;
}

struct kft_ahead *kft_ahead_destroy(struct kft_ahead *a)
{
	if (!a)
		return NULL;
	(void)pthread_mutex_lock(&a->lock);
	a->stop = true;
	(void)pthread_cond_signal(&a->filled);
	(void)pthread_mutex_unlock(&a->lock);
	(void)pthread_join(a->thread, NULL);
	(void)pthread_cond_destroy(&a->filled);
	(void)pthread_mutex_destroy(&a->lock);
	for (size_t i = 0; i < BATCHES; i++)
		kft_vec_finish(&a->batches[i].bytes);
	free(a);
	return NULL;
}

/* Gives back what was read, and waits for the next batch. */
static const struct batch *take_batch(struct kft_ahead *a)
{
	(void)pthread_mutex_lock(&a->lock);
	if (a->is_reading) {
		a->number_read++;
		if (waiting(a) == BATCHES / 2)
			(void)pthread_cond_signal(&a->filled);
	}
	a->is_reading = true;
	while (a->number_filled == a->number_read)
		(void)pthread_cond_wait(&a->filled, &a->lock);
	(void)pthread_mutex_unlock(&a->lock);
	return &a->batches[a->number_read % BATCHES];
}

int kft_ahead_next(struct kft_ahead *a, const struct kft_event **ret)
{
	if (a->is_last)
		return a->result;
	const struct batch *b = take_batch(a);

	/* What comes before the end, or before an error, is given first. */
	a->is_last = b->result <= 0;
	a->result = b->result;
	*ret = b->events;
	return b->n ? (int)b->n : b->result;
}
