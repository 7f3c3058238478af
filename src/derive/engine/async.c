// SPDX-License-Identifier: LGPL-2.1-or-later
/* Pairs beginnings and ends by an id, many at a time. */
#include "derive/engine/async.h"

#include <errno.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"
#include "derive/engine/nested_pairs.h"

/* Maximum number of open intervals; if there are more, ends were lost, and old ones make room. */
#define OPEN_MAX (1 << 16)
/* Minimum size of a map that is rebuilt when most of its ids are not open any more. */
#define MAP_MIN 1024

struct flight {
	struct kft_interval interval;
	uint64_t id; /* KFT_MAP_NO_KEY: the place is free */
	uint64_t losses;
	uint32_t next_free; /* in a free place: index + 1 of the next free one; 0: none */
};

struct kft_async {
	struct kft_map by_id; /* -> index + 1; 0: not open */
	KFT_VEC(struct flight) places;
	uint32_t free; /* index + 1 of the first free place; 0: all are taken */
	size_t n_open;
	size_t next_to_go; /* place to empty when there are too many */
};

int kft_async_create(struct kft_trace *t, void **ret_state)
{
	*ret_state = calloc(1, sizeof(struct kft_async));
	return *ret_state ? 0 : -ENOMEM;
}

void kft_async_destroy(void *state)
{
	struct kft_async *f = state;

	kft_vec_finish(&f->places);
	kft_map_finish(&f->by_id);
	free(f);
}

uint64_t kft_async_id(uint64_t a, uint64_t b)
{
	/* MurmurHash3 mixes bits like this. */
	uint64_t h = a * UINT64_C(0xff51afd7ed558ccd);

	h = (h ^ h >> 32 ^ b) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 29;
}

static uint64_t safe_id(uint64_t id)
{
	return id == KFT_MAP_NO_KEY ? id - 1 : id;
}

/* Rebuilds the map: ids cannot be removed from one, and those of ended intervals would add up. */
static int renew_map(struct kft_async *f)
{
	if (f->by_id.len < MAP_MIN || f->by_id.len < 4 * f->n_open)
		return 0;
	kft_map_finish(&f->by_id);
	for (size_t i = 0; i < f->places.len; i++) {
		uint64_t id = f->places.data[i].id;
		uint64_t *slot = id == KFT_MAP_NO_KEY ? NULL : kft_map_put(&f->by_id, id);

		if (slot)
			*slot = i + 1;
		else if (id != KFT_MAP_NO_KEY)
			return -ENOMEM;
	}
	return 0;
}

static struct flight *take_place(struct kft_async *f)
{
	struct flight *place;

	if (f->free)
		place = &f->places.data[f->free - 1];
	else if (kft_vec_push(&f->places, (struct flight){}))
		place = &f->places.data[f->places.len - 1];
	else
		return NULL;
	f->free = place->next_free;
	f->n_open++;
	return place;
}

/* Frees the place of an interval, which can be read until the next one begins. */
static struct flight *take_out(struct kft_async *f, uint64_t *slot)
{
	struct flight *out = &f->places.data[*slot - 1];

	out->id = KFT_MAP_NO_KEY;
	out->next_free = f->free;
	f->free = (uint32_t)*slot;
	f->n_open--;
	*slot = 0;
	return out;
}

static int emit(struct flight *flight, const struct kft_kind_input *in, uint32_t flags,
		const struct kft_interval_sink *sink)
{
	flight->interval.end_ns = in->ts;
	flight->interval.end_cpu = in->cpu;
	flight->interval.flags |= flags;
	if (flight->losses != in->losses)
		flight->interval.flags |= KFT_INTERVAL_LOSSES;
	return sink->take(sink->arg, &flight->interval);
}

static int emit_unended(struct kft_async *f, uint64_t *slot,
			const struct kft_kind_input *in,
			const struct kft_interval_sink *sink)
{
	struct flight *gone = take_out(f, slot);

	return sink ? emit(gone, in, KFT_INTERVAL_NOT_ENDED, sink) : 0;
}

/* If all places are taken, they are emptied in turns: intervals that began early go early. */
static uint64_t *next_to_go(struct kft_async *f)
{
	size_t at = f->next_to_go++ % f->places.len;

	return kft_map_get(&f->by_id, f->places.data[at].id);
}

int kft_async_begin(struct kft_async *f, uint64_t id, const struct kft_interval *i,
		    const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	id = safe_id(id);
	int r = renew_map(f);
	uint64_t *slot = r < 0 ? NULL : kft_map_put(&f->by_id, id);

	if (!slot)
		return -ENOMEM;
	if (*slot)
		r = emit_unended(f, slot, in, sink);
	else if (f->n_open >= OPEN_MAX)
		r = emit_unended(f, next_to_go(f), in, sink);
	struct flight *place = r < 0 ? NULL : take_place(f);

	if (!place)
		return r < 0 ? r : -ENOMEM;
	place->interval = *i;
	place->id = id;
	place->losses = in->losses;
	*slot = (uint64_t)(place - f->places.data) + 1;
	return 0;
}

bool kft_async_has(const struct kft_async *f, uint64_t id)
{
	const uint64_t *slot = kft_map_get(&f->by_id, safe_id(id));

	return slot && *slot;
}

int kft_async_end(struct kft_async *f, uint64_t id, const struct kft_interval *i,
		  const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	uint64_t *slot = kft_map_get(&f->by_id, safe_id(id));

	if (!slot || !*slot) {
		struct flight unseen = {.interval = *i};

		unseen.interval.begin_ns = in->first_ts;
		unseen.interval.cause = (struct kft_interval_cause){.pid = -1};
		return emit(&unseen, in, KFT_INTERVAL_BEGUN_BEFORE, sink);
	}
	struct flight *gone = take_out(f, slot);

	if (i->value != KFT_INTERVAL_NO_VALUE)
		gone->interval.value = i->value;
	return emit(gone, in, 0, sink);
}

int kft_async_next(struct kft_async *f, uint64_t id, const struct kft_interval *i,
		   const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	int r = kft_async_has(f, id) ? kft_async_end(f, id, i, in, sink) : 0;

	return r < 0 ? r : kft_async_begin(f, id, i, in, sink);
}

bool kft_async_take(struct kft_async *f, uint64_t id, const struct kft_kind_input *in,
		    struct kft_interval *ret)
{
	uint64_t *slot = kft_map_get(&f->by_id, safe_id(id));

	if (!slot || !*slot)
		return false;
	const struct flight *gone = take_out(f, slot);

	*ret = gone->interval;
	if (gone->losses != in->losses)
		ret->flags |= KFT_INTERVAL_LOSSES;
	return true;
}

void kft_async_cancel(struct kft_async *f, uint64_t id)
{
	uint64_t *slot = kft_map_get(&f->by_id, safe_id(id));

	if (slot && *slot)
		(void)take_out(f, slot);
}

int kft_async_feed(const struct kft_interval_kind *kind, void *state,
		   const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	const struct kft_kind_event *event = &kind->events[in->event];
	uint64_t id = in->n_fields ? in->fields[0] : event->key;
	bool has_more = in->n_fields > 1;
	struct kft_interval i = kft_nested_pairs_interval(kind, id, in);

	switch (event->role) {
	case KFT_KIND_BEGINS:
		i.key = has_more ? in->fields[1] : id;
		return kft_async_begin(state, id, &i, in, sink);
	case KFT_KIND_ENDS:
		i.value = has_more ? (int64_t)in->fields[1] : KFT_INTERVAL_NO_VALUE;
		i.key = kft_nested_pairs_key_at_end(kind, id);
		return kft_async_end(state, id, &i, in, sink);
	case KFT_KIND_PREPARES:
		break;
	case KFT_KIND_CANCELS:
		kft_async_cancel(state, id);
		return 0;
	}
	return 0;
}

static int by_begin(const void *pa, const void *pb)
{
	const struct flight *a = pa;
	const struct flight *b = pb;

	if (a->interval.begin_ns != b->interval.begin_ns)
		return a->interval.begin_ns < b->interval.begin_ns ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

int kft_async_flush(void *state, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink)
{
	struct kft_async *f = state;
	int r = 0;

	if (f->places.len)
		qsort(f->places.data, f->places.len, sizeof(*f->places.data), by_begin);
	kft_vec_for_each(&f->places, flight)
		if (!r && flight->id != KFT_MAP_NO_KEY)
			r = emit(flight, in, KFT_INTERVAL_NOT_ENDED, sink);
	f->places.len = 0;
	f->free = 0;
	f->n_open = 0;
	kft_map_finish(&f->by_id);
	return r;
}
