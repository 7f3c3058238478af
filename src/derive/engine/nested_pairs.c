// SPDX-License-Identifier: LGPL-2.1-or-later
/* Pairs beginnings and ends of nested intervals. */
#include "derive/engine/nested_pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyed.h"
#include "model/call.h"

/* Maximum number of open intervals of an owner; if there are more, ends were lost. */
#define OPEN_MAX 64

struct open {
	struct kft_interval interval;
	uint64_t id;
	uint64_t losses;
};

struct owner {
	KFT_VEC(struct open) open; /* the innermost last */
};

struct kft_nested_pairs {
	struct kft_map by_owner; /* -> index + 1 */
	KFT_VEC(struct owner) owners;
};

int kft_nested_pairs_create(struct kft_trace *t, void **ret_state)
{
	*ret_state = calloc(1, sizeof(struct kft_nested_pairs));
	return *ret_state ? 0 : -ENOMEM;
}

void kft_nested_pairs_destroy(void *state)
{
	struct kft_nested_pairs *p = state;

	kft_vec_for_each(&p->owners, owner)
		kft_vec_finish(&owner->open);
	kft_vec_finish(&p->owners);
	kft_map_finish(&p->by_owner);
	free(p);
}

static struct owner *get_owner(struct kft_nested_pairs *p, uint64_t key)
{
	return kft_keyed_put(&p->owners, &p->by_owner, key, (struct owner){});
}

/* Ends the innermost interval; is_seen: its end was recorded. */
static int end_top(struct owner *o, const struct kft_kind_input *in, bool is_seen,
		   int64_t value, const struct kft_interval_sink *sink)
{
	struct open *top = &o->open.data[--o->open.len];

	top->interval.end_ns = in->ts;
	top->interval.end_cpu = in->cpu;
	top->interval.parent = o->open.len ? &top[-1].interval : NULL;
	if (value != KFT_INTERVAL_NO_VALUE)
		top->interval.value = value;
	if (!is_seen)
		top->interval.flags |= KFT_INTERVAL_NOT_ENDED;
	if (top->losses != in->losses)
		top->interval.flags |= KFT_INTERVAL_LOSSES;
	return sink->take(sink->arg, &top->interval);
}

int kft_nested_pairs_begin(struct kft_nested_pairs *p, uint64_t owner, uint64_t id,
			   const struct kft_interval *i, const struct kft_kind_input *in,
			   const struct kft_interval_sink *sink)
{
	struct owner *o = get_owner(p, owner);
	struct open open = {.interval = *i, .id = id, .losses = in->losses};
	int r = 0;

	if (!o)
		return -ENOMEM;
	if (o->open.len >= OPEN_MAX)
		r = end_top(o, in, false, KFT_INTERVAL_NO_VALUE, sink);
	open.interval.depth = o->open.len;
	if (!r && !kft_vec_push(&o->open, open))
		r = -ENOMEM;
	return r;
}

static bool is_open(const struct owner *o, uint64_t id)
{
	for (size_t i = 0; i < o->open.len; i++)
		if (o->open.data[i].id == id)
			return true;
	return false;
}

bool kft_nested_pairs_has(const struct kft_nested_pairs *p, uint64_t owner, uint64_t id)
{
	const struct owner *there = kft_keyed_get(&p->owners, &p->by_owner, owner);

	return there && is_open(there, id);
}

static int end_unbegun(const struct kft_interval *i, const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	struct kft_interval cut = *i;

	cut.begin_ns = in->first_ts;
	cut.end_ns = in->ts;
	cut.cause = (struct kft_interval_cause){.pid = -1};
	cut.flags = KFT_INTERVAL_BEGUN_BEFORE;
	if (in->losses)
		cut.flags |= KFT_INTERVAL_LOSSES;
	return sink->take(sink->arg, &cut);
}

int kft_nested_pairs_end(struct kft_nested_pairs *p, uint64_t owner, uint64_t id,
			 const struct kft_interval *i, const struct kft_kind_input *in,
			 const struct kft_interval_sink *sink)
{
	struct owner *o = get_owner(p, owner);
	int r = 0;

	if (!o)
		return -ENOMEM;
	if (!is_open(o, id))
		return end_unbegun(i, in, sink);
	while (!r && o->open.data[o->open.len - 1].id != id)
		r = end_top(o, in, false, KFT_INTERVAL_NO_VALUE, sink);
	return r < 0 ? r : end_top(o, in, true, i->value, sink);
}

uint64_t kft_nested_pairs_key_at_end(const struct kft_interval_kind *kind, uint64_t id)
{
	const char *const *fields = kind->events[0].fields;
	bool is_other = fields[0] && fields[1] && strcmp(fields[0], fields[1]) != 0;

	return is_other ? KFT_INTERVAL_NO_KEY : id;
}

static int feed(const struct kft_interval_kind *kind, struct kft_nested_pairs *p,
		uint64_t owner, const struct kft_kind_input *in,
		const struct kft_interval_sink *sink)
{
	const struct kft_kind_event *event = &kind->events[in->event];
	uint64_t id = in->n_fields ? in->fields[0] : event->key;
	bool has_more = in->n_fields > 1;
	struct kft_interval i = kft_nested_pairs_interval(kind, id, in);

	if (event->role == KFT_KIND_BEGINS) {
		i.key = has_more ? in->fields[1] : id;
		return kft_nested_pairs_begin(p, owner, id, &i, in, sink);
	}
	i.key = kft_nested_pairs_key_at_end(kind, id);
	if (has_more)
		i.value = (int64_t)in->fields[1];
	return kft_nested_pairs_end(p, owner, id, &i, in, sink);
}

int kft_nested_pairs_by_cpu(const struct kft_interval_kind *kind, void *state,
			    const struct kft_kind_input *in,
			    const struct kft_interval_sink *sink)
{
	return feed(kind, state, in->cpu, in, sink);
}

int kft_nested_pairs_by_task(const struct kft_interval_kind *kind, void *state,
			     const struct kft_kind_input *in,
			     const struct kft_interval_sink *sink)
{
	return feed(kind, state, kft_stack_key(in->pid, (int32_t)in->cpu), in, sink);
}

int kft_nested_pairs_flush(void *state, const struct kft_kind_input *in,
			   const struct kft_interval_sink *sink)
{
	struct kft_nested_pairs *p = state;
	int r = 0;

	kft_vec_for_each(&p->owners, o)
		while (!r && o->open.len)
			r = end_top(o, in, false, KFT_INTERVAL_NO_VALUE, sink);
	return r;
}
