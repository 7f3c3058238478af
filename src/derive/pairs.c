// SPDX-License-Identifier: LGPL-2.1-or-later
#include "derive/pairs.h"

#include <errno.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"

/* Events of a kind, and their fields. */
enum { BEGINS, ENDS };
enum { PID, KEY, VALUE };

/* More are not under way at a time in any owner: their ends were lost. */
#define OPEN_MAX 64

struct open {
	struct kft_interval interval;
	uint64_t losses;
};

struct owner {
	KFT_VEC(struct open) open; /* the innermost last */
};

struct kft_pairs {
	struct kft_map by_owner; /* -> index + 1 */
	KFT_VEC(struct owner) owners;
};

int kft_pairs_create(void **ret_state)
{
	*ret_state = calloc(1, sizeof(struct kft_pairs));
	return *ret_state ? 0 : -ENOMEM;
}

void kft_pairs_destroy(void *state)
{
	struct kft_pairs *p = state;

	kft_vec_for_each(&p->owners, owner)
		kft_vec_finish(&owner->open);
	kft_vec_finish(&p->owners);
	kft_map_finish(&p->by_owner);
	free(p);
}

static struct owner *get_owner(struct kft_pairs *p, uint64_t key)
{
	uint64_t *slot = kft_map_put(&p->by_owner, key);

	if (!slot)
		return NULL;
	if (!*slot) {
		if (!kft_vec_push(&p->owners, (struct owner){}))
			return NULL;
		*slot = p->owners.len;
	}
	return &p->owners.data[*slot - 1];
}

/* Ends the innermost one; is_seen: by its event. */
static int end_top(struct owner *o, const struct kft_kind_input *in, bool is_seen,
		   int64_t value, const struct kft_interval_sink *sink)
{
	struct open *top = &o->open.data[--o->open.len];

	top->interval.end_ns = in->ts;
	top->interval.value = value;
	if (!is_seen)
		top->interval.flags |= KFT_INTERVAL_NOT_ENDED;
	if (top->losses != in->losses)
		top->interval.flags |= KFT_INTERVAL_LOSSES;
	return sink->take(sink->arg, &top->interval);
}

static int begin(struct owner *o, const struct kft_interval *i,
		 const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	int r = 0;

	if (o->open.len >= OPEN_MAX)
		r = end_top(o, in, false, KFT_INTERVAL_NO_VALUE, sink);
	struct open open = {.interval = *i, .losses = in->losses};

	open.interval.depth = o->open.len;
	if (!r && !kft_vec_push(&o->open, open))
		r = -ENOMEM;
	return r;
}

static bool is_open(const struct owner *o, uint64_t key)
{
	for (size_t i = 0; i < o->open.len; i++)
		if (o->open.data[i].interval.key == key)
			return true;
	return false;
}

static int end(struct owner *o, struct kft_interval *i, const struct kft_kind_input *in,
	       const struct kft_interval_sink *sink)
{
	int r = 0;

	if (!is_open(o, i->key)) {
		i->begin_ns = in->first_ts;
		i->end_ns = in->ts;
		i->flags = KFT_INTERVAL_BEGUN_BEFORE;
		if (in->losses)
			i->flags |= KFT_INTERVAL_LOSSES;
		return sink->take(sink->arg, i);
	}
	while (!r && o->open.data[o->open.len - 1].interval.key != i->key)
		r = end_top(o, in, false, KFT_INTERVAL_NO_VALUE, sink);
	return r < 0 ? r : end_top(o, in, true, i->value, sink);
}

static int feed(const struct kft_interval_kind *kind, struct kft_pairs *p, uint64_t key,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct owner *o = get_owner(p, key);
	bool has_value = kind->value && in->event == ENDS;
	struct kft_interval i = {
		.kind = kind,
		.key = in->fields[KEY],
		.begin_ns = in->ts,
		.value = has_value ? (int64_t)in->fields[VALUE] : KFT_INTERVAL_NO_VALUE,
		.pid = (int32_t)in->fields[PID],
		.cpu = in->cpu,
	};

	if (!o)
		return -ENOMEM;
	return in->event == BEGINS ? begin(o, &i, in, sink) : end(o, &i, in, sink);
}

int kft_pairs_by_cpu(const struct kft_interval_kind *kind, void *state,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	return feed(kind, state, in->cpu, in, sink);
}

int kft_pairs_by_task(const struct kft_interval_kind *kind, void *state,
		      const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink)
{
	return feed(kind, state, (uint32_t)in->fields[PID], in, sink);
}

int kft_pairs_flush(void *state, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink)
{
	struct kft_pairs *p = state;
	int r = 0;

	kft_vec_for_each(&p->owners, o)
		while (!r && o->open.len)
			r = end_top(o, in, false, KFT_INTERVAL_NO_VALUE, sink);
	return r;
}
