// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/span.h"

#define BATCH_EVENTS 256

static bool stream_first(struct kft_stream *s, uint64_t *ret)
{
	struct kft_event ev;

	if (s->ops->rewind(s, 0) < 0 || s->ops->fill(s, &ev, 1) <= 0)
		return false;
	*ret = ev.ts;
	return true;
}

/* The latest stamp from a place on. */
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

bool kft_span_first(struct kft_trace *t, uint64_t *ret)
{
	bool any = false;
	uint64_t ts;

	kft_vec_for_each(&t->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			if (b->clock.unit != t->meta.clock.unit || !stream_first(*s, &ts))
				continue;
			*ret = any ? KFT_MIN(*ret, ts) : ts;
			any = true;
		}
	}
	return any;
}

/* A stream may go to its very end for a time after all events. */
static bool stream_last(struct kft_stream *s, uint64_t *ret)
{
	return latest_since(s, UINT64_MAX, ret) || latest_since(s, 0, ret);
}

bool kft_span_last(struct kft_trace *t, uint64_t *ret)
{
	bool any = false;
	uint64_t ts;

	kft_vec_for_each(&t->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			if (b->clock.unit != t->meta.clock.unit || !stream_last(*s, &ts))
				continue;
			*ret = any ? KFT_MAX(*ret, ts) : ts;
			any = true;
		}
	}
	return any;
}
