// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads events in a thread of its own. */
#include "analysis/ahead.h"

#include <errno.h>
#include <pthread.h>

#include "base/thread.h"

#define BATCHES	     16
#define BATCH_EVENTS 2048
/* A batch with as many words is full; most have fewer. */
#define BATCH_WORDS ((size_t)64 << 10)

struct batch {
	struct kft_u64_vec words;
	int result; /* of the merge's last event, or of reading it */
};

struct kft_ahead {
	struct kft_merge *merge; /* borrowed; the thread's, as what follows */
	kft_ahead_read *read;
	void *arg;
	pthread_t thread;
	struct batch batches[BATCHES];

	pthread_mutex_t
		lock; /* for what follows; a batch is of who may fill or read it */
	pthread_cond_t filled; /* number_filled or number_read went on, or stop was set */
	uint64_t number_filled;
	uint64_t number_read;
	bool stop;
	bool ended; /* number_filled will not go on */

	/* The caller's: */
	bool is_reading; /* it has the batch number_read */
	bool is_last; /* no batch follows that one */
	int result; /* of the merge behind the last batch */
};

static void fill(const struct kft_ahead *a, struct batch *b)
{
	const struct kft_event *ev;

	b->words.len = 0;
	for (size_t n = 0; n < BATCH_EVENTS && b->words.len < BATCH_WORDS; n++) {
		b->result = kft_merge_next(a->merge, &ev);
		if (b->result <= 0)
			return;
		int r = a->read(a->arg, ev, &b->words);

		if (r < 0) {
			b->result = r;
			return;
		}
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
		fill(a, b);
		result = b->result;
		(void)pthread_mutex_lock(&a->lock);
		a->number_filled++;
		a->ended = result <= 0;
		if (a->ended || waiting(a) >= BATCHES / 4)
			(void)pthread_cond_signal(&a->filled);
	}
	(void)pthread_mutex_unlock(&a->lock);
	return NULL;
}

int kft_ahead_create(struct kft_merge *m, kft_ahead_read *read, void *arg,
		     struct kft_ahead **ret)
{
	struct kft_ahead *a = calloc(1, sizeof(*a));

	if (!a)
		return -ENOMEM;
	a->merge = m;
	a->read = read;
	a->arg = arg;
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
		kft_vec_finish(&a->batches[i].words);
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
	if (a->number_filled == a->number_read)
		while (!a->ended && waiting(a) < BATCHES / 4)
			(void)pthread_cond_wait(&a->filled, &a->lock);
	(void)pthread_mutex_unlock(&a->lock);
	return &a->batches[a->number_read % BATCHES];
}

int kft_ahead_next(struct kft_ahead *a, const struct kft_u64_vec **ret)
{
	if (a->is_last)
		return a->result;
	const struct batch *b = take_batch(a);

	/* What comes before the end, or before an error, is given first. */
	a->is_last = b->result <= 0;
	a->result = b->result;
	*ret = &b->words;
	return 1;
}
