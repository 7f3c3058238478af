// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads streams ahead, in threads, and feeds their rows in the order of time. */
#include "derive/engine/ahead.h"

#include <errno.h>
#include <pthread.h>

#include "base/thread.h"
#include "model/merge_heap.h"

#define READERS_MAX 8U
/*
 * All batches together should fit into the caches of the CPUs, and threads should not
 * wake each other for each batch: the fewer the lanes, the more and larger batches each
 * has.
 */
#define ALL_EVENTS   32768U
#define BATCHES_MAX  8U
#define BATCHES_MIN  2U
#define BATCH_EVENTS 2048U
#define EVENTS_MIN   128U
#define FILL_EVENTS  256U
/* Without readers a lane uses one batch, which stays in the cache. */
#define ALONE_EVENTS 512U
/* A batch is also full when it has this many words for each event that it may hold. */
#define EVENT_WORDS 32U

/* A stream, and the rows that were read from it. */
struct lane {
	/* borrowed; used by the thread that reads the lane, like lost */
	struct kft_stream *stream;
	uint64_t lost; /* see kft_scope_fill() */
	/* Each is used by the thread that fills it, then by the feeding thread. */
	struct kft_rows batches[BATCHES_MAX];
	/* the batch n_fed; used by the feeding thread; NULL: none */
	struct kft_rows *fed;
	/* Protected by the lock: */
	uint64_t n_read;
	uint64_t n_fed;
	bool is_due; /* in the queue, or being read */
	bool ended; /* n_read does not grow any more */
};

struct ahead {
	const struct kft_scope *scope; /* borrowed */
	struct kft_engine *engine; /* borrowed */
	struct lane *lanes; /* owned */
	uint32_t n_lanes;
	unsigned int n_batches; /* number of batches of each lane */
	unsigned int batch_events;
	/* owned; the lanes that have rows; used by the feeding thread */
	struct kft_merge_heap heads;
	bool is_alone; /* the feeding thread reads, too */

	pthread_mutex_t lock; /* protects the following members */
	/* signals readers: a lane is to be read, or reading is over */
	pthread_cond_t due;
	/* Signals the feeding thread: enough of the wanted lane was read, or stop. */
	pthread_cond_t filled;
	struct lane *wanted; /* the lane that the feeding thread waits for; NULL: none */
	/* owned: ring of the lanes to be read, with room for all lanes */
	struct lane **queue;
	uint32_t first; /* index of the first lane in the queue */
	uint32_t n_queued;
	uint32_t n_ended;
	bool stop;
	int result; /* error of reading, or 0 */
};

static uint64_t waiting(const struct lane *l)
{
	return l->n_read - l->n_fed;
}

/* Returns 1, 0 at the stream's end, or -errno. */
static int fill(const struct ahead *a, struct lane *l, struct kft_rows *to)
{
	struct kft_event evs[FILL_EVENTS];
	size_t words_max = (size_t)a->batch_events * EVENT_WORDS;
	size_t n = 0;

	to->words.len = to->at = 0;
	while (n < a->batch_events && to->words.len < words_max) {
		size_t max = KFT_MIN(a->batch_events - n, (size_t)FILL_EVENTS);
		size_t len = kft_scope_fill(a->scope, l->stream, evs, max, &l->lost);

		if (!len)
			return 0;
		int r = kft_engine_read(a->engine, evs, len, to);

		if (r < 0)
			return r;
		n += len;
	}
	return 1;
}

/* A lane is queued again once half of its batches are fed, not for each batch. */
static bool is_half_fed(const struct ahead *a, const struct lane *l)
{
	return !l->ended && waiting(l) <= a->n_batches / 2;
}

static void add_due(struct ahead *a, struct lane *l)
{
	l->is_due = true;
	a->queue[(a->first + a->n_queued++) % a->n_lanes] = l;
	if (a->n_queued >= a->n_lanes / 2)
		(void)pthread_cond_signal(&a->due);
}

static struct lane *take_due(struct ahead *a)
{
	struct lane *l = a->queue[a->first];

	a->first = (a->first + 1) % a->n_lanes;
	a->n_queued--;
	return l;
}

static bool is_over(const struct ahead *a)
{
	return a->stop || a->n_ended == a->n_lanes;
}

/*
 * The wanted lane has a quarter of its batches, and at most half of the lanes are queued:
 * the lane that is wanted next probably has batches, too.
 */
static bool has_enough(const struct ahead *a)
{
	const struct lane *l = a->wanted;

	return l && (l->ended || (waiting(l) && waiting(l) >= a->n_batches / 4 &&
				  a->n_queued <= a->n_lanes / 2));
}

/* Wakes the feeding thread only if it has enough to go on, not for each batch. */
static void note_read(struct ahead *a, struct lane *l, int result)
{
	l->n_read++;
	if (result <= 0) {
		l->ended = true;
		a->n_ended++;
	}
	if (result < 0) {
		a->result = result;
		a->stop = true;
	}
	if (is_over(a))
		(void)pthread_cond_broadcast(&a->due);
	if (a->stop || has_enough(a))
		(void)pthread_cond_signal(&a->filled);
}

/* Reads a lane until it is full, or the feeding thread waits for another lane. */
static void read_lane(struct ahead *a, struct lane *l)
{
	while (!a->stop && !l->ended && waiting(l) < a->n_batches) {
		struct kft_rows *batch = &l->batches[l->n_read % a->n_batches];

		(void)pthread_mutex_unlock(&a->lock);
		int r = fill(a, l, batch);

		(void)pthread_mutex_lock(&a->lock);
		note_read(a, l, r);
		if (a->wanted && !waiting(a->wanted))
			break;
	}
	l->is_due = false;
	if (is_half_fed(a, l))
		add_due(a, l);
}

static void *read_lanes(void *arg)
{
	struct ahead *a = arg;

	(void)pthread_mutex_lock(&a->lock);
	while (!is_over(a)) {
		if (a->n_queued)
			read_lane(a, take_due(a));
		else
			(void)pthread_cond_wait(&a->due, &a->lock);
	}
	(void)pthread_mutex_unlock(&a->lock);
	return NULL;
}

static void give_back(struct ahead *a, struct lane *l)
{
	l->n_fed++;
	if (!l->is_due && is_half_fed(a, l))
		add_due(a, l);
}

static bool fill_batch(struct ahead *a, struct lane *l)
{
	if (!l->fed && l->n_read) {
		l->fed = l->batches;
		return true;
	}
	if (l->ended || a->stop)
		return false;
	int r = fill(a, l, l->fed);

	l->ended = r <= 0;
	a->result = KFT_MIN(r, 0);
	a->stop = r < 0;
	return true;
}

static bool wait_for_batch(struct ahead *a, struct lane *l)
{
	(void)pthread_mutex_lock(&a->lock);
	if (l->fed)
		give_back(a, l);
	a->wanted = l;
	if (a->n_queued)
		(void)pthread_cond_broadcast(&a->due);
	while (!a->stop && !l->ended && !waiting(l))
		(void)pthread_cond_wait(&a->filled, &a->lock);
	a->wanted = NULL;
	bool is_there = !a->stop && waiting(l);

	l->fed = is_there ? &l->batches[l->n_fed % a->n_batches] : NULL;
	(void)pthread_mutex_unlock(&a->lock);
	return is_there;
}

/* Replaces the batch that was fed by the lane's next one; false: there is none. */
static bool next_batch(struct ahead *a, struct lane *l)
{
	return a->is_alone ? fill_batch(a, l) : wait_for_batch(a, l);
}

/* Whether the lane has a next row, if need be in its next batch. */
static bool has_rows(struct ahead *a, struct lane *l)
{
	while (!l->fed || l->fed->at == l->fed->words.len)
		if (!next_batch(a, l))
			return false;
	return true;
}

static uint64_t next_time(const struct lane *l)
{
	return l->fed->words.data[l->fed->at];
}

/* Adds the lane to the heads, which have to be ordered again, if it has rows. */
static void add_head(struct ahead *a, uint32_t lane)
{
	struct lane *l = &a->lanes[lane];

	if (has_rows(a, l))
		kft_merge_heap_add(&a->heads,
				   (struct kft_merge_head){next_time(l), lane});
}

/* Feeds the lane with the earliest row, up to the earliest row of another lane. */
static int feed_top(struct ahead *a)
{
	struct lane *l = &a->lanes[a->heads.heap[0].lane];
	int r = kft_engine_feed_rows(a->engine, l->fed,
				     kft_merge_heap_top_until(&a->heads));

	if (has_rows(a, l))
		(void)kft_merge_heap_set_top(&a->heads, next_time(l));
	else
		kft_merge_heap_pop(&a->heads);
	return r;
}

/* Feeds the last two lanes until one of them has to be read. */
static int feed_both(struct ahead *a)
{
	const struct kft_merge_head *heap = a->heads.heap;
	uint32_t low = KFT_MIN(heap[0].lane, heap[1].lane);
	uint32_t high = KFT_MAX(heap[0].lane, heap[1].lane);
	int r = kft_engine_feed_both(a->engine, a->lanes[low].fed, a->lanes[high].fed);

	a->heads.n = 0;
	add_head(a, low);
	add_head(a, high);
	kft_merge_heap_order(&a->heads);
	return r;
}

static int feed_rows(struct ahead *a)
{
	int r = 0;

	for (uint32_t i = 0; i < a->n_lanes; i++)
		add_head(a, i);
	kft_merge_heap_order(&a->heads);
	while (!r && a->heads.n)
		r = a->heads.n == 2 ? feed_both(a) : feed_top(a);
	return r;
}

static void stop_readers(struct ahead *a, pthread_t *threads, unsigned int n)
{
	(void)pthread_mutex_lock(&a->lock);
	a->stop = true;
	(void)pthread_cond_broadcast(&a->due);
	(void)pthread_mutex_unlock(&a->lock);
	for (unsigned int i = 0; i < n; i++)
		(void)pthread_join(threads[i], NULL);
}

/*
 * Reads the first batch of each lane. Short traces have no others and need no threads. Only lanes that
 * have more are queued: readers do nothing with others, and would not wake the feeding thread.
 */
static void begin(struct ahead *a)
{
	for (uint32_t i = 0; i < a->n_lanes; i++) {
		struct lane *l = &a->lanes[i];

		if (!l->ended)
			note_read(a, l, fill(a, l, l->batches));
		l->is_due = !l->ended;
		if (l->is_due)
			a->queue[a->n_queued++] = l;
	}
}

/* Without readers, or if no thread can be started, the calling thread reads. */
static int run(struct ahead *a, unsigned int n_readers)
{
	pthread_t threads[READERS_MAX];
	unsigned int n = 0;

	begin(a);
	if (is_over(a))
		n_readers = 0;
	while (n < KFT_MIN(n_readers, a->n_lanes) &&
	       !kft_thread_start(&threads[n], 0, read_lanes, a))
		n++;
	a->is_alone = !n;
	int r = feed_rows(a);

	stop_readers(a, threads, n);
	return a->result < 0 ? a->result : r;
}

static void add_lane(struct ahead *a, struct kft_stream *s)
{
	struct lane *l = &a->lanes[a->n_lanes++];

	l->stream = s;
	for (unsigned int i = 0; i < BATCHES_MAX; i++) {
		l->batches[i].cpu = s->cpu;
		l->batches[i].buffer = s->buffer;
	}
	l->ended = !kft_scope_start(a->scope, s);
	a->n_ended += l->ended;
}

static void size_batches(struct ahead *a, unsigned int n_readers)
{
	unsigned int lane_events = ALL_EVENTS / KFT_MAX(a->n_lanes, 1U);

	a->n_batches = KFT_MIN(lane_events / BATCH_EVENTS, BATCHES_MAX);
	a->n_batches = KFT_MAX(a->n_batches, BATCHES_MIN);
	a->batch_events = KFT_MAX(lane_events / a->n_batches, EVENTS_MIN);
	if (!n_readers)
		a->batch_events = KFT_MIN(a->batch_events, ALONE_EVENTS);
}

/* The lanes are ordered by buffer, then by CPU, like in kft_merge. */
static int create_lanes(struct ahead *a, struct kft_trace *t)
{
	size_t n = 0;

	kft_vec_for_each(&t->buffers, b)
		n += b->streams.len;
	a->lanes = calloc(n + 1, sizeof(*a->lanes));
	a->queue = calloc(n + 1, sizeof(struct lane *));
	a->heads.heap = calloc(n + 1, sizeof(*a->heads.heap));
	if (!a->lanes || !a->queue || !a->heads.heap)
		return -ENOMEM;
	kft_vec_for_each(&t->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			if (kft_scope_has_cpu(a->scope, (*s)->cpu))
				add_lane(a, *s);
		}
	}
	return 0;
}

static void destroy_lanes(struct ahead *a)
{
	for (uint32_t i = 0; i < a->n_lanes; i++) {
		struct lane *l = &a->lanes[i];

		/* The stream's wanted ids belong to the caller, which may free them now. */
		l->stream->wanted = NULL;
		for (unsigned int b = 0; b < BATCHES_MAX; b++)
			kft_vec_finish(&l->batches[b].words);
	}
	free(a->lanes);
	free(a->queue);
	free(a->heads.heap);
}

int kft_ahead_run(struct kft_trace *t, const struct kft_scope *scope,
		  struct kft_engine *engine, unsigned int n_readers)
{
	struct ahead a = {.scope = scope, .engine = engine};
	int r = create_lanes(&a, t);

	(void)pthread_mutex_init(&a.lock, NULL);
	(void)pthread_cond_init(&a.due, NULL);
	(void)pthread_cond_init(&a.filled, NULL);
	if (!r) {
		n_readers = KFT_MIN(n_readers, READERS_MAX);
		size_batches(&a, n_readers);
		r = run(&a, n_readers);
	}
	(void)pthread_cond_destroy(&a.filled);
	(void)pthread_cond_destroy(&a.due);
	(void)pthread_mutex_destroy(&a.lock);
	destroy_lanes(&a);
	return r;
}

int kft_engine_run(struct kft_trace *t, const struct kft_scope *scope,
		   const struct kft_interval_kind *const *kinds, size_t n,
		   const struct kft_interval_sink *sink)
{
	_cleanup_(kft_engine_destroyp) struct kft_engine *e = NULL;
	uint64_t wanted[KFT_ID_WORDS] = {};
	struct kft_scope part = scope ? *scope : (struct kft_scope){};

	kft_engine_needs(t, kinds, n, wanted);
	for (size_t i = 0; part.wanted && i < KFT_ID_WORDS; i++)
		wanted[i] &= part.wanted[i];
	part.wanted = wanted;
	int r = kft_engine_create(t, kinds, n, sink, &e);

	if (r < 0)
		return r;
	kft_engine_span_of(e, t, scope);
	r = kft_ahead_run(t, &part, e, 0);
	return r < 0 ? r : kft_engine_flush(e);
}
