// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the times of a trace's first and last event. */
#include "model/span.h"

#define BATCH_EVENTS 256

static bool read_first(struct kft_stream *s, struct kft_event *ret)
{
	return s->ops->rewind(s, 0) == 0 && s->ops->fill(s, ret, 1) > 0;
}

static bool first_event(struct kft_stream *s, uint64_t *ret)
{
	struct kft_event ev;

	if (!read_first(s, &ev))
		return false;
	*ret = ev.ts;
	return true;
}

/* The latest stamp from a time on; since is the argument of rewind. */
static bool latest_since(struct kft_stream *s, uint64_t since, uint64_t *ret)
{
	struct kft_event evs[BATCH_EVENTS];
	uint64_t latest = 0;
	bool any = false;
	int n;

	if (s->ops->rewind(s, since) < 0)
		return false;
	while ((n = s->ops->fill(s, evs, BATCH_EVENTS)) > 0) {
		for (int i = 0; i < n; i++)
			latest = KFT_MAX(latest, evs[i].ts);
		any = true;
	}
	if (any)
		*ret = latest;
	return any;
}

/*
 * For a time after all events, a stream may seek to its very end and have no event left.
 */
static bool last_event(struct kft_stream *s, uint64_t *ret)
{
	return latest_since(s, UINT64_MAX, ret) || latest_since(s, 0, ret);
}

/*
 * The first or last stamp of one stream. Damage is restored: it is counted when the
 * events are read, not here.
 */
static bool end_of(struct kft_stream *s, bool is_last, uint64_t *ret)
{
	struct kft_err damage = s->damage;
	uint64_t damage_count = s->damage_count;
	bool any = is_last ? last_event(s, ret) : first_event(s, ret);

	s->damage = damage;
	s->damage_count = damage_count;
	return any;
}

bool kft_span_stream_first(struct kft_stream *s, uint64_t *ret)
{
	return end_of(s, false, ret);
}

uint64_t kft_span_stream_lost_before(struct kft_stream *s)
{
	struct kft_err damage = s->damage;
	uint64_t damage_count = s->damage_count;
	struct kft_event ev;
	uint64_t lost = read_first(s, &ev) ? ev.lost_before : 0;

	(void)!s->ops->rewind(s, 0);
	s->damage = damage;
	s->damage_count = damage_count;
	return lost;
}

static bool end_of_all(struct kft_trace *t, bool is_last, uint64_t *ret)
{
	bool any = false;
	uint64_t ts;

	kft_vec_for_each(&t->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			if (b->clock.unit != t->meta.clock.unit ||
			    !end_of(*s, is_last, &ts))
				continue;
			if (!any || (is_last ? ts > *ret : ts < *ret))
				*ret = ts;
			any = true;
		}
	}
	return any;
}

bool kft_span_first(struct kft_trace *t, uint64_t *ret)
{
	return end_of_all(t, false, ret);
}

bool kft_span_last(struct kft_trace *t, uint64_t *ret)
{
	return end_of_all(t, true, ret);
}

bool kft_span_of(struct kft_trace *t, const struct kft_scope *scope, uint64_t *ret_first,
		 uint64_t *ret_last)
{
	uint64_t first, last;

	if (!kft_span_first(t, &first) || !kft_span_last(t, &last))
		return false;
	*ret_first = scope ? KFT_MAX(first, scope->since) : first;
	*ret_last = scope && scope->until ? KFT_MIN(last, scope->until) : last;
	return true;
}
