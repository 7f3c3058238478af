// SPDX-License-Identifier: LGPL-2.1-or-later
/* Merges streams into the order of time. */
#include "model/merge.h"

#include <errno.h>
#include <string.h>

#include "model/merge_heap.h"

/*
 * Events are taken from streams in batches, so that the cost of the call through the
 * stream's ops is shared by many events. Few streams get large batches, many get small
 * ones: all batches together fit into the second-level cache.
 */
#define BATCHES_EVENTS	 16384
#define BATCH_EVENTS_MIN 16
#define BATCH_EVENTS_MAX 256

/*
 * Limit for copying an event that must outlive its batch, for kft_merge_peek(); larger
 * ones cannot be peeked behind.
 */
#define HELD_BYTES_MAX 256

struct lane {
	struct kft_stream *stream; /* borrowed from the trace */
	struct kft_event *events; /* part of kft_merge.events */
	size_t len;
	size_t pos;
	uint64_t lost; /* loss marks of filtered events, for the next event kept */
	bool ended;
};

struct kft_merge {
	struct kft_trace *growing; /* borrowed; NULL: the trace is complete */
	struct kft_scope scope;
	struct lane *lanes; /* owned */
	struct kft_merge_heap heads; /* owned; lanes are numbered by buffer and CPU */
	struct kft_event *events; /* owned: the batches */
	size_t n_lanes;
	size_t batch;
	struct lane *top; /* lane of the last event returned; NULL before the first */
	/* Copy of the last event, when peeking replaced its batch. */
	struct kft_event held;
	uint8_t held_bytes[HELD_BYTES_MAX];
};

static void choose_top(struct kft_merge *m)
{
	m->top = m->heads.n ? &m->lanes[m->heads.heap[0].lane] : NULL;
}

/* Reads the next batch; false at the stream's end. */
static bool refill(const struct kft_merge *m, struct lane *lane)
{
	lane->pos = 0;
	lane->len = lane->ended ? 0
				: kft_scope_fill(&m->scope, lane->stream, lane->events,
						 m->batch, &lane->lost);
	lane->ended = !lane->len;
	return lane->len > 0;
}

static void pop_top(struct kft_merge *m)
{
	kft_merge_heap_pop(&m->heads);
	choose_top(m);
}

/* Moves the lane with the earliest event to the top; false when no lane has one. */
static inline bool find_top(struct kft_merge *m)
{
	struct lane *lane = m->top;

	if (unlikely(!lane))
		return false;
	if (unlikely(lane->pos == lane->len) && !refill(m, lane)) {
		pop_top(m);
		return m->top;
	}
	if (kft_merge_heap_set_top(&m->heads, lane->events[lane->pos].ts))
		choose_top(m);
	return true;
}

int kft_merge_next(struct kft_merge *m, const struct kft_event **ret)
{
	bool any = find_top(m);

	if (unlikely(m->growing) &&
	    (!any || m->top->events[m->top->pos].ts > m->growing->settled))
		return -EAGAIN;
	if (unlikely(!any))
		return 0;
	*ret = &m->top->events[m->top->pos++];
	return 1;
}

const struct kft_event *kft_merge_peek(struct kft_merge *m, const struct kft_event **ev)
{
	struct lane *lane = m->top;

	if (likely(lane->pos < lane->len))
		return &lane->events[lane->pos];
	if ((*ev)->size > HELD_BYTES_MAX)
		return NULL;
	m->held = **ev;
	m->held.data = memcpy(m->held_bytes, (*ev)->data, (*ev)->size);
	*ev = &m->held;
	return refill(m, lane) ? &lane->events[0] : NULL;
}

void kft_merge_drop_peeked(struct kft_merge *m)
{
	m->top->pos++;
}

/* Collects streams by buffer, then CPU, as in the trace's own tables. */
static void collect(struct kft_merge *m, struct kft_trace *t)
{
	kft_vec_for_each(&t->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			if (kft_scope_has_cpu(&m->scope, (*s)->cpu))
				m->lanes[m->n_lanes++].stream = *s;
		}
	}
}

static size_t batch_events(size_t n_lanes)
{
	size_t n = BATCHES_EVENTS / (n_lanes + 1);

	if (n > BATCH_EVENTS_MAX)
		return BATCH_EVENTS_MAX;
	return KFT_MAX(n, (size_t)BATCH_EVENTS_MIN);
}

static void start_lane(struct kft_merge *m, uint32_t i)
{
	struct lane *lane = &m->lanes[i];

	lane->events = m->events + i * m->batch;
	if (kft_scope_start(&m->scope, lane->stream) && refill(m, lane))
		kft_merge_heap_add(&m->heads,
				   (struct kft_merge_head){lane->events[0].ts, i});
}

/* Tries lanes again that had no events; these are not in the heap. */
static void revive_lanes(struct kft_merge *m)
{
	for (uint32_t i = 0; i < m->n_lanes; i++) {
		struct lane *lane = &m->lanes[i];

		if (!lane->ended)
			continue;
		lane->ended = false;
		if (refill(m, lane))
			kft_merge_heap_add(&m->heads, (struct kft_merge_head){
							      lane->events[0].ts, i});
	}
	kft_merge_heap_order(&m->heads);
	choose_top(m);
}

int kft_merge_more(struct kft_merge *m)
{
	int r = m->growing->more(m->growing);

	if (r < 0)
		return r;
	if (r == 0)
		m->growing = NULL;
	revive_lanes(m);
	return 0;
}

int kft_merge_create(struct kft_trace *t, const struct kft_scope *scope,
		     struct kft_merge **ret)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = calloc(1, sizeof(*m));
	size_t n = 0;

	if (!m)
		return -ENOMEM;
	if (scope)
		m->scope = *scope;
	m->growing = t->more ? t : NULL;
	kft_vec_for_each(&t->buffers, b)
		n += b->streams.len;
	m->lanes = calloc(n + 1, sizeof(*m->lanes));
	m->heads.heap = calloc(n + 1, sizeof(*m->heads.heap));
	if (!m->lanes || !m->heads.heap)
		return -ENOMEM;
	collect(m, t);
	m->batch = batch_events(m->n_lanes);
	m->events = calloc(m->n_lanes * m->batch + 1, sizeof(*m->events));
	if (!m->events)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->n_lanes; i++)
		start_lane(m, i);
	kft_merge_heap_order(&m->heads);
	choose_top(m);
	*ret = TAKE(m);
	return 0;
}

struct kft_merge *kft_merge_destroy(struct kft_merge *m)
{
	if (!m)
		return NULL;
	/* The wanted ids belong to the caller, which may free them now. */
	for (size_t i = 0; i < m->n_lanes; i++)
		m->lanes[i].stream->wanted = NULL;
	free(m->events);
	free(m->heads.heap);
	free(m->lanes);
	free(m);
	return NULL;
}
