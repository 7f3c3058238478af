// SPDX-License-Identifier: LGPL-2.1-or-later
/* Pairs begins and ends by an id, many at a time. */
#include "derive/flights.h"

#include <errno.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"
#include "derive/pairs.h"

/* More are not under way at a time: their ends were lost. The oldest ones go. */
#define OPEN_MAX (1 << 16)
/* A map this large is made anew when most of its ids are of what has ended. */
#define MAP_MIN 1024

struct flight {
	struct kft_interval interval;
	uint64_t id;
	uint64_t losses;
};

struct kft_flights {
	struct kft_map by_id; /* -> index + 1; 0: not under way */
	KFT_VEC(struct flight) open;
};

int kft_flights_create(struct kft_trace *t, void **ret_state)
{
	*ret_state = calloc(1, sizeof(struct kft_flights));
	return *ret_state ? 0 : -ENOMEM;
}

void kft_flights_destroy(void *state)
{
	struct kft_flights *f = state;

	kft_vec_finish(&f->open);
	kft_map_finish(&f->by_id);
	free(f);
}

uint64_t kft_flights_id(uint64_t a, uint64_t b)
{
	/* As MurmurHash3 mixes bits. */
	uint64_t h = a * UINT64_C(0xff51afd7ed558ccd);

	h = (h ^ h >> 32 ^ b) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 29;
}

static uint64_t safe_id(uint64_t id)
{
	return id == KFT_MAP_NO_KEY ? id - 1 : id;
}

/* Maps do not forget; ids of what has ended would add up. */
static int renew_map(struct kft_flights *f)
{
	if (f->by_id.len < MAP_MIN || f->by_id.len < 4 * f->open.len)
		return 0;
	kft_map_finish(&f->by_id);
	for (size_t i = 0; i < f->open.len; i++) {
		uint64_t *slot = kft_map_put(&f->by_id, f->open.data[i].id);

		if (!slot)
			return -ENOMEM;
		*slot = i + 1;
	}
	return 0;
}

/* The last one takes its place. */
static struct flight take_out(struct kft_flights *f, size_t at)
{
	struct flight out = f->open.data[at];
	struct flight last = f->open.data[--f->open.len];
	uint64_t *slot = kft_map_get(&f->by_id, out.id);

	if (slot)
		*slot = 0;
	if (at == f->open.len)
		return out;
	f->open.data[at] = last;
	slot = kft_map_get(&f->by_id, last.id);
	if (slot)
		*slot = at + 1;
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

static int emit_at(struct kft_flights *f, size_t at, const struct kft_kind_input *in,
		   const struct kft_interval_sink *sink)
{
	struct flight gone = take_out(f, at);

	if (!sink)
		return 0;
	return emit(&gone, in, KFT_INTERVAL_NOT_ENDED, sink);
}

int kft_flights_begin(struct kft_flights *f, uint64_t id, const struct kft_interval *i,
		      const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink)
{
	id = safe_id(id);
	uint64_t *slot = kft_map_get(&f->by_id, id);
	int r = 0;

	if (slot && *slot)
		r = emit_at(f, *slot - 1, in, sink);
	else if (f->open.len >= OPEN_MAX)
		r = emit_at(f, 0, in, sink);
	if (!r)
		r = renew_map(f);
	if (r < 0)
		return r;
	struct flight flight = {.interval = *i, .id = id, .losses = in->losses};

	slot = kft_map_put(&f->by_id, id);
	if (!slot || !kft_vec_push(&f->open, flight))
		return -ENOMEM;
	*slot = f->open.len;
	return 0;
}

bool kft_flights_has(const struct kft_flights *f, uint64_t id)
{
	const uint64_t *slot = kft_map_get(&f->by_id, safe_id(id));

	return slot && *slot;
}

int kft_flights_end(struct kft_flights *f, uint64_t id, const struct kft_interval *i,
		    const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	const uint64_t *slot = kft_map_get(&f->by_id, safe_id(id));
	struct flight gone = {.interval = *i, .losses = 0};

	if (!slot || !*slot) {
		gone.interval.begin_ns = in->first_ts;
		gone.interval.cause = (struct kft_interval_cause){.pid = -1};
		return emit(&gone, in, KFT_INTERVAL_BEGUN_BEFORE, sink);
	}
	gone = take_out(f, *slot - 1);
	if (i->value != KFT_INTERVAL_NO_VALUE)
		gone.interval.value = i->value;
	return emit(&gone, in, 0, sink);
}

int kft_flights_next(struct kft_flights *f, uint64_t id, const struct kft_interval *i,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	int r = kft_flights_has(f, id) ? kft_flights_end(f, id, i, in, sink) : 0;

	return r < 0 ? r : kft_flights_begin(f, id, i, in, sink);
}

bool kft_flights_take(struct kft_flights *f, uint64_t id, const struct kft_kind_input *in,
		      struct kft_interval *ret)
{
	const uint64_t *slot = kft_map_get(&f->by_id, safe_id(id));

	if (!slot || !*slot)
		return false;
	struct flight gone = take_out(f, *slot - 1);

	if (gone.losses != in->losses)
		gone.interval.flags |= KFT_INTERVAL_LOSSES;
	*ret = gone.interval;
	return true;
}

void kft_flights_cancel(struct kft_flights *f, uint64_t id)
{
	const uint64_t *slot = kft_map_get(&f->by_id, safe_id(id));

	if (slot && *slot)
		(void)take_out(f, *slot - 1);
}

int kft_flights_feed(const struct kft_interval_kind *kind, void *state,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	const struct kft_kind_event *event = &kind->events[in->event];
	uint64_t id = in->n_fields ? in->fields[0] : event->key;
	bool has_more = in->n_fields > 1;
	struct kft_interval i = kft_pairs_interval(kind, id, in);

	switch (event->role) {
	case KFT_KIND_BEGINS:
		i.key = has_more ? in->fields[1] : id;
		return kft_flights_begin(state, id, &i, in, sink);
	case KFT_KIND_ENDS:
		i.value = has_more ? (int64_t)in->fields[1] : KFT_INTERVAL_NO_VALUE;
		i.key = kft_pairs_key_at_end(kind, id);
		return kft_flights_end(state, id, &i, in, sink);
	case KFT_KIND_CANCELS:
		kft_flights_cancel(state, id);
		return 0;
	}
	return 0;
}

int kft_flights_flush(void *state, const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink)
{
	struct kft_flights *f = state;
	int r = 0;

	kft_vec_for_each(&f->open, flight)
		if (!r)
			r = emit(flight, in, KFT_INTERVAL_NOT_ENDED, sink);
	f->open.len = 0;
	kft_map_finish(&f->by_id);
	return r;
}
